"""Boards of topics by label rows: they name their source, verify, and change neither votes nor old boards."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from sqlalchemy import select, text

from arena.adapters.store import labels
from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.snapshots import PartRow
from arena.adapters.store.tables.transparency import LeafRow
from arena.api.boards.documents import Key, part, whole
from arena.cli.boards.log_boards import verdict
from arena.domain.errors import Invalid
from arena.domain.labels.label_sets import CAST, LabelSource
from arena.usecases.exchange import importer, writer
from arena.usecases.labelling.label_file import label_pages
from arena.usecases.ranking import verification
from arena.usecases.ranking.vote_columns import CountedLog
from tests.conftest import START
from tests.publication import publish_once
from tests.usecases.ranking.test_slice_boards import METHOD, made

SOURCE = LabelSource("capabilities", "rules", 2)


@pytest.fixture
def publish(database):
    log = CountedLog()

    async def publish(source: LabelSource = CAST) -> int | None:
        with ThreadPoolExecutor(1) as executor:
            clock = lambda: datetime.now(UTC)  # noqa: E731
            return await publish_once(database, METHOD, log, executor=executor, now=clock, labels=source)

    return publish


async def verified(database, number: int) -> bool:
    with ThreadPoolExecutor(1) as executor:
        return (await verification.verify(database, number, executor=executor)).holds


async def digests(database, number: int) -> dict[tuple[str, str, str], str]:
    def read(session):
        rows = session.scalars(select(PartRow).where(PartRow.snapshot_id == number))
        return {(row.kind, row.category, row.language): row.digest for row in rows}

    return await database.read(read)


async def label(database, every: int, source: LabelSource = SOURCE, first: int = 1) -> None:
    """Label the votes from `first` on: each as knowledge, every second one as code too; every `every`th has nothing."""

    def write(session):
        numbers = session.scalars(select(VoteRow.number).where(VoteRow.number >= first)).all()
        found = {n: [] if n % every == 0 else ["code", "knowledge"] if n % 2 else ["knowledge"] for n in numbers}
        labels.add_votes(session, source, found, START)

    await database.write(write)


@pytest.fixture
async def voted(database):
    await importer.import_votes(database, made(), START)


@pytest.mark.usefixtures("voted")
async def test_a_vote_with_two_labels_is_on_both_boards_and_the_board_names_its_source(database, publish):
    await label(database, every=5)
    assert await publish(SOURCE) == 1
    before = await digests(database, 1)
    assert {key[1] for key in before if key[0] == "board"} == {"", "code", "knowledge"}
    code = (await database.read(part, Key(category="code"))).view
    knowledge = (await database.read(part, Key(category="knowledge"))).view
    assert (code.snapshot.votes, knowledge.snapshot.votes) == (120, 240)
    assert code.labels.model_dump() == SOURCE.record() | {"last": 300, "unlabelled": 0.2}
    assert await verified(database, 1)


@pytest.mark.usefixtures("voted")
async def test_labels_change_no_vote_row_and_no_published_board(database, publish):
    def log(session):
        return session.execute(text("SELECT * FROM votes ORDER BY number")).all()

    assert await publish() == 1
    before, old = await database.read(log), await digests(database, 1)
    await label(database, every=5)
    await label(database, every=3, source=LabelSource("capabilities", "rules", 3))
    assert await publish() is None
    assert await publish(SOURCE) == 2
    assert await publish(LabelSource("capabilities", "rules", 3)) == 3
    assert (await database.read(log), await digests(database, 1)) == (before, old)
    assert [await verified(database, number) for number in (1, 2, 3)] == [True] * 3
    later = await digests(database, 2)
    assert {key: later[key] for key in old if not key[1]} == {key: old[key] for key in old if not key[1]}


@pytest.mark.both_databases
@pytest.mark.usefixtures("voted")
async def test_later_labels_make_a_new_snapshot_and_the_earlier_one_still_verifies(database, publish):
    await label(database, every=5, first=200)
    assert [await publish(SOURCE), await publish(SOURCE)] == [1, None]
    await importer.import_votes(database, made(340)[300:], START)
    await label(database, every=5, first=301)
    assert await publish(SOURCE) == 2
    assert [await verified(database, number) for number in (1, 2)] == [True, True]


@pytest.mark.usefixtures("voted")
async def test_the_category_of_when_votes_were_cast_is_a_source_too(database, publish):
    assert await publish() == 1
    assert (await database.read(whole)).view.labels.model_dump() == CAST.record() | {"last": None, "unlabelled": 0.33}


@pytest.mark.both_databases
@pytest.mark.usefixtures("voted")
async def test_each_batch_of_labels_has_a_leaf_with_the_digest_of_its_public_lines(database):
    await label(database, every=5)

    def read(session):
        rows = labels.public_after(session, 0)
        leaf = session.scalar(select(LeafRow.data).where(LeafRow.kind == "labels"))
        return rows, labels.digest(rows), leaf

    rows, digest, leaf = await database.read(read)
    assert len(rows) == 300
    assert digest in leaf.decode()
    assert "capabilities/rules/2 1-300" in leaf.decode()


@pytest.mark.usefixtures("voted")
async def test_a_board_of_a_topic_is_computed_again_from_public_files(database, publish, tmp_path):
    await label(database, every=5)
    assert await publish(SOURCE) == 1
    export, board, rows = tmp_path / "votes.jsonl", tmp_path / "code.json", tmp_path / "labels.jsonl"
    await writer.export_file(database, export, salt=b"salt")
    board.write_bytes((await database.read(part, Key(category="code"))).document.bodies[""])
    rows.write_bytes(b"".join([piece async for piece in label_pages(database)]))
    assert verdict(None, export, board, labels=rows).holds
    with pytest.raises(Invalid, match="give them with --labels"):
        verdict(None, export, board)
    rows.write_bytes(rows.read_bytes().replace(b'["code","knowledge"]', b'["knowledge"]', 1))
    assert not verdict(None, export, board, labels=rows).holds
