"""Nothing that its file holds is stored in an evaluation once its digest is in the log, however close the two come."""

from __future__ import annotations

import asyncio
import json
import threading
from hashlib import sha256

import pytest

from arena.adapters.store.engine import open_database
from arena.domain.errors import ArenaError, Conflict
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.domain.schemas.evaluations import AnnotationRequest, EvaluationChangeRequest
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases import generation, importer, lifecycle, revision
from arena.evaluations.usecases.people import annotations, annotators
from arena.evaluations.usecases.reports.export import export
from tests.conftest import NAMES, START
from tests.evaluations.usecases.populated import add_evaluation, caller
from tests.scripted import ScriptedAnswer
from tests.statements import recorded

SAID = AnnotationRequest(said={"outcome": "a"})


def annotate(session, name, link):
    annotations.annotate.__wrapped__(session, link, 2, SAID, START)


def undo(session, name, link):
    annotations.undo.__wrapped__(session, link, 1, START)


def leave_out(session, name, link):
    annotators.leave_out(session, name, "1", "random", START)


def change(session, name, link):
    revision._change(session, name, EvaluationChangeRequest(least_right=0.5))


def add_file(session, name, link):
    row = {"question": "sum", "a": NAMES[0], "b": NAMES[1], "annotator": "p", "outcome": "a"}
    importer._import(session, name, [(1, row)], START, new_models=False, strict=False, team="")


WRITERS = [annotate, undo, leave_out, change, add_file]
"""Acts that add to the file of an open evaluation: by its name and the link of its first annotator."""


def answer(session, question: int) -> None:
    facts = {"texts": ["Good"], "fault": None, "settings": {}, "tokens": 1, "milliseconds": 1, "created_at": START}
    stored.put_answer(session, 1, question, **facts)


def close(session, name="taste"):
    lifecycle.close_evaluation.__wrapped__(session, name, START)


def open_(session):
    lifecycle.open_evaluation.__wrapped__(session, "taste", partial=True)


async def is_as_logged(database, name="taste") -> bool:
    """Whether the file of a closed evaluation has the digest that the log has."""
    content = sha256(b"".join(await export(database, name))).hexdigest()
    return (await database.read(stored.by_name, name)).digest == content


async def one_behind_the_other(database, other, first, second) -> tuple[ArenaError | None, ArenaError | None]:
    """Run transactions of two processes; the first has done its work but is not committed when the second begins."""
    done, release = threading.Event(), threading.Event()

    def hold(session) -> None:
        first[0](session, *first[1:])
        session.flush()
        done.set()
        release.wait(10)

    async def outcome(process, work) -> ArenaError | None:
        try:
            await process.write(*work)
        except ArenaError as error:
            return error
        return None

    ahead = asyncio.create_task(outcome(database, (hold,)))
    while not done.is_set() and not ahead.done():
        await asyncio.sleep(0.01)
    behind = asyncio.create_task(outcome(other, second))
    await asyncio.sleep(0.3)  # time for the second to read what it reads
    release.set()
    return await ahead, await behind


@pytest.fixture
def other(url):
    """The database as another process opens it."""
    database = open_database(url)
    yield database
    database.close()


async def judged(database, scripted, name: str) -> str:
    """A link of an open evaluation, by which one item is judged."""
    await add_evaluation(database, name)
    await generation.generate(caller(database, scripted), name)
    await lifecycle.open_evaluation(database, name)
    ((_, link),) = await annotators.invite(database, name, 1, START)
    await annotations.items(database, link, "here", START)
    await annotations.annotate(database, link, 1, SAID, START)
    return link


@pytest.mark.both_databases
async def test_whoever_writes_as_an_evaluation_closes_is_refused(database, other, scripted):
    for write in WRITERS:
        name = write.__name__
        link = await judged(database, scripted, name)
        closed, refused = await one_behind_the_other(database, other, (close, name), (write, name, link))
        assert (name, closed, refused is not None) == (name, None, True)
        assert await is_as_logged(database, name), name


@pytest.mark.both_databases
async def test_what_is_written_as_an_evaluation_closes_is_in_its_digest(database, other, scripted):
    for write in WRITERS:
        name = write.__name__
        link = await judged(database, scripted, name)
        outcomes = await one_behind_the_other(database, other, (write, name, link), (close, name))
        assert (name, outcomes) == (name, (None, None))
        assert await is_as_logged(database, name), name


@pytest.mark.both_databases
@pytest.mark.parametrize("end", [open_, close], ids=["open", "close"])
@pytest.mark.parametrize("answer_first", [True, False])
async def test_an_answer_that_comes_as_answers_are_fixed_is_kept_before_or_refused(
    database, other, scripted, end, answer_first
):
    await add_evaluation(database)
    scripted.parts[NAMES[0]] = ScriptedAnswer(error=ZeroDivisionError())
    await generation.generate(caller(database, scripted), "taste", at_once=1)
    late = (answer, 3)
    if end is open_:
        await database.write(lambda session: [answer(session, number) for number in (1, 2)])
    first, second = await one_behind_the_other(database, other, *((late, (end,)) if answer_first else ((end,), late)))
    assert first is None
    assert (second is None) is answer_first
    if end is close:
        assert await is_as_logged(database)
    else:
        assert (await database.read(stored.size, 1))[0] == (3 if answer_first else 2)


@pytest.mark.both_databases
async def test_a_run_that_is_still_asking_when_its_evaluation_closes_stores_nothing_more(database, scripted):
    await add_evaluation(database)
    event = asyncio.Event()
    scripted.parts[NAMES[1]] = ScriptedAnswer(held=event)
    running = asyncio.create_task(generation.generate(caller(database, scripted), "taste", at_once=1))
    while len(scripted.asked) < 5:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)
    await lifecycle.close_evaluation(database, "taste", START)
    event.set()
    _, blue = await running
    assert "closed" in blue.stopped
    assert await is_as_logged(database)


@pytest.mark.sqlite
async def test_answers_are_refused_in_one_sentence(database):
    await add_evaluation(database)
    await lifecycle.close_evaluation(database, "taste", START)
    with pytest.raises(Conflict, match="taste is closed: its answers do not change any more"):
        await database.write(answer, 1)


@pytest.mark.both_databases
async def test_items_are_added_together_and_not_one_by_one(database, tmp_path):
    """An open of a large evaluation holds the only writer of SQLite no longer than it has to."""
    counts = []
    for size in (2, 60):
        name, models = f"of {size}", ("gull", "tern", "heron")
        questions = [QuestionView(id=f"q{number}", turns=["Why?"]) for number in range(size)]
        await add_evaluation(database, name, questions=questions, models=(), others=models)
        pairs = [(question.id, model) for question in questions for model in models]
        rows = [{"question": question, "model": model, "answer": "So."} for question, model in pairs]
        said = {"a": "gull", "b": "tern", "annotator": "anna", "outcome": "a"}
        file = tmp_path / f"{size}.jsonl"
        file.write_text("\n".join(json.dumps(row) for row in rows + [said | {"question": one.id} for one in questions]))
        assert (await importer.import_file(database, name, file, START)).annotations == size
        with recorded() as statements:
            assert await lifecycle.open_evaluation(database, name) == 3 * size
        taken = await database.read(lambda session: [item.taken for item in stored.items(session, len(counts) + 1)])
        assert sorted(taken) == [0] * 2 * size + [1] * size
        counts.append(len(statements))
    assert counts[0] == counts[1]
