"""Answers of closed evaluations go to files after a time and come back unchanged, whatever happens in between."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from arena.adapters.store.leases import Superseded, unguarded
from arena.domain.errors import Conflict
from arena.evaluations.domain.errors import EvaluationNotFound
from arena.evaluations.store.archived_answers import AnswerFiles
from arena.evaluations.usecases import archive, generation, lifecycle, views
from arena.evaluations.usecases.reports import export
from arena.serving.publisher import Publisher
from tests.conftest import NAMES, START
from tests.evaluations.usecases.populated import add_evaluation, caller
from tests.usecases.ranking.test_publication import METHOD

LATER = START + timedelta(days=31)
BEFORE = LATER - timedelta(days=30)


@pytest.fixture
def files(tmp_path) -> AnswerFiles:
    return AnswerFiles(tmp_path / "answers")


async def closed(database, scripted) -> list[bytes]:
    """Close an evaluation that has run; the lines of its file."""
    await add_evaluation(database)
    await generation.generate(caller(database, scripted), "taste")
    await lifecycle.close_evaluation(database, "taste", START)
    return await export.export(database, "taste")


async def test_answers_move_to_files_and_come_back_unchanged(database, scripted, files):
    lines = await closed(database, scripted)
    assert await archive.archive_due(database, files, BEFORE) == list(NAMES)
    assert len(list(files.folder.rglob("*.jsonl.gz"))) == len(NAMES)
    assert {path.stat().st_mode & 0o077 for path in files.folder.rglob("*")} == {0}
    with pytest.raises(Conflict, match="arena evaluations restore"):
        await export.export(database, "taste")
    progress = await views.progress(database, "taste")
    assert [each.answered for each in progress.models] == [3, 3]
    assert await archive.archive_due(database, files, BEFORE) == []
    assert await archive.restore(database, files, "taste", LATER) == len(NAMES)
    assert await export.export(database, "taste") == lines
    assert list(files.folder.rglob("*.jsonl.gz")) == []


async def test_what_was_restored_stays_as_long_again(database, scripted, files):
    lines = await closed(database, scripted)
    await archive.archive_due(database, files, BEFORE)
    await archive.restore(database, files, "taste", LATER)
    assert await archive.archive_due(database, files, LATER) == []
    assert await archive.archive_due(database, files, LATER + timedelta(seconds=1)) == list(NAMES)
    await archive.restore(database, files, "taste", LATER)
    assert await export.export(database, "taste") == lines


async def test_only_closed_evaluations_move_and_only_after_the_time(database, scripted, files):
    await add_evaluation(database)
    await generation.generate(caller(database, scripted), "taste")
    assert await archive.archive_due(database, files, LATER) == []
    await lifecycle.close_evaluation(database, "taste", START)
    assert await archive.archive_due(database, files, START) == []
    assert not files.folder.exists()


async def test_a_worker_that_was_overtaken_moves_nothing(database, scripted, files):
    lines = await closed(database, scripted)

    def overtaken(_session) -> None:
        raise Superseded

    with pytest.raises(Superseded):
        await archive.archive_due(database, files, BEFORE, guard=overtaken)
    assert await export.export(database, "taste") == lines


async def test_a_missing_or_damaged_file_is_said_and_nothing_is_lost(database, scripted, files):
    lines = await closed(database, scripted)
    await archive.archive_due(database, files, BEFORE)
    first, second = sorted(files.folder.rglob("*.jsonl.gz"))
    kept = second.read_bytes()
    second.write_bytes(kept[:-1] + b"x")
    with pytest.raises(Conflict, match="is not the file that was written"):
        await archive.restore(database, files, "taste", LATER)
    second.unlink()
    with pytest.raises(Conflict, match="No such file"):
        await archive.restore(database, files, "taste", LATER)
    second.write_bytes(kept)
    assert await archive.restore(database, files, "taste", LATER) == 1
    assert not first.exists()
    assert await export.export(database, "taste") == lines


async def test_of_an_unknown_evaluation_nothing_is_restored(database, files):
    with pytest.raises(EvaluationNotFound):
        await archive.restore(database, files, "nothing", LATER)


@pytest.mark.sqlite
async def test_the_worker_moves_them_when_it_has_a_folder(database, scripted, files):
    lines = await closed(database, scripted)
    with ThreadPoolExecutor(1) as other:
        publisher = Publisher(database, METHOD, other, lambda: LATER, archive_after=timedelta(days=30))
        await publisher.archive(unguarded)
        assert await export.export(database, "taste") == lines
        publisher.answers = files
        await publisher.archive(unguarded)
    assert await archive.restore(database, files, "taste", LATER) == len(NAMES)
    assert await export.export(database, "taste") == lines
