"""Runs of the service end by themselves, whatever goes wrong in them: nobody is asked the same for ever."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy.exc import OperationalError

from arena.adapters.store import endpoints
from arena.adapters.store.tables.endpoint_records import EndpointUseRow
from arena.domain.errors import StoreUnavailable
from arena.domain.terms import EndpointState, Use
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases import generation, runs, views
from arena.evaluations.usecases.runs import Runs
from arena_providers.base import Chunk, Usage
from arena_providers.terms import Finish
from tests.conftest import NAMES, START
from tests.evaluations.usecases.populated import add_evaluation, caller
from tests.scripted import ScriptedAnswer

FAULTY, HONEST = NAMES
ERRORS = {
    "overflow": OverflowError("Python int too large to convert to SQLite INTEGER"),
    "no such key": KeyError("choices"),
    "statement": OperationalError("INSERT", {}, Exception("disk I/O error")),
    "store": StoreUnavailable(),
    "arithmetic": ZeroDivisionError(),
}


async def begin(database, scripted) -> Runs:
    await add_evaluation(database)
    await runs.start_run(database, "taste", START)
    return Runs(caller(database, scripted), None)  # type: ignore[arg-type] - no likelihoods are asked for


async def look_often(database, service: Runs) -> None:
    """Look as the service does until the run has ended, and some times more."""
    for _ in range(200):
        await service.look()
        await asyncio.sleep(0.02)
        if not (await views.progress(database, "taste")).running:
            break
    for _ in range(5):
        await service.look()
        await asyncio.sleep(0.02)


def calls(scripted) -> Counter[str]:
    return Counter(name for name, _ in scripted.asked)


@pytest.mark.sqlite
@pytest.mark.parametrize("error", ERRORS.values(), ids=ERRORS)
async def test_a_run_stops_asking_a_model_whose_calls_break_and_says_why(database, scripted, error):
    service = await begin(database, scripted)
    scripted.parts[FAULTY] = ScriptedAnswer(error=error)
    await look_often(database, service)
    found = await views.progress(database, "taste")
    faulty, honest = found.models
    assert (found.running, honest.answered, honest.stopped) == (False, 3, None)
    assert faulty.answered == 0
    assert faulty.stopped
    assert calls(scripted) == {FAULTY: 3, HONEST: 4}


@pytest.mark.both_databases
async def test_why_a_model_was_not_asked_is_said_only_while_it_holds(database, scripted):
    def ready(session, allowed: bool, active: bool) -> None:  # noqa: FBT001 - they are facts
        row, other = (endpoints.by_name(session, name) for name in NAMES)
        other.state = EndpointState.ACTIVE if active else EndpointState.PAUSED
        row.url = "https://owned.example/v1"
        use = session.get(EndpointUseRow, (row.id, Use.EVALUATIONS))
        if allowed and use is None:
            session.add(EndpointUseRow(endpoint_id=row.id, use=Use.EVALUATIONS))
        elif use and not allowed:
            session.delete(use)

    async def reasons() -> list[str | None]:
        return [model.stopped for model in (await views.progress(database, "taste")).models]

    service = await begin(database, scripted)
    await database.write(ready, False, False)
    await look_often(database, service)
    assert await reasons() == ["its owner no longer allows evaluations", "it is paused"]
    await database.write(ready, True, False)
    assert await reasons() == [None, "it is paused"]
    await database.write(ready, False, True)
    assert await reasons() == ["its owner no longer allows evaluations", None]


@pytest.mark.sqlite
async def test_a_run_whose_answers_cannot_be_stored_stops(database, scripted, monkeypatch):
    service = await begin(database, scripted)

    async def stream(*_):
        yield Chunk("Four.")
        yield Chunk(finish=Finish.STOP, usage=Usage(5, 2**64 - 1))

    played = type(scripted).stream
    monkeypatch.setattr(
        type(scripted),
        "stream",
        lambda self, target, messages: stream() if target.wire_model == FAULTY else played(self, target, messages),
    )
    await look_often(database, service)
    found = await views.progress(database, "taste")
    assert (found.running, found.models[1].answered) == (False, 3)
    assert calls(scripted)[HONEST] == 4


@pytest.mark.both_databases
@pytest.mark.parametrize("error", [RuntimeError("plan"), StoreUnavailable()], ids=["any", "store"])
async def test_a_run_that_fails_as_a_whole_ends_with_the_reason_at_every_model(database, scripted, error, monkeypatch):
    service, begun = await begin(database, scripted), []

    def fail(*_args, **_rest):
        begun.append(1)
        raise error

    monkeypatch.setattr(generation, "plan_answers", fail)
    await look_often(database, service)
    found = await views.progress(database, "taste")
    assert (found.running, len(begun)) == (False, 1)
    assert all(model.stopped for model in found.models)


@pytest.mark.sqlite
async def test_a_run_that_ends_while_the_requests_are_read_is_not_begun_anew(database, scripted, monkeypatch):
    service, begun, may_end = await begin(database, scripted), [], asyncio.Event()
    read = type(database).read

    async def run(*_args, **_rest):
        begun.append(1)
        await may_end.wait()
        return []

    async def read_late(self, work, *args, **rest):
        result = await read(self, work, *args, **rest)
        if begun and work is stored.running:
            may_end.set()
            await asyncio.wait(vars(service)["_tasks"].values())
        return result

    monkeypatch.setattr(runs, "run_models", run)
    monkeypatch.setattr(type(database), "read", read_late)
    for _ in range(3):
        await service.look()
        await asyncio.sleep(0.02)
    assert (len(begun), (await views.progress(database, "taste")).running) == (1, False)


@pytest.mark.sqlite
async def test_a_run_whose_end_cannot_be_stored_at_first_is_not_begun_anew(database, scripted, monkeypatch):
    service, refused = await begin(database, scripted), []
    write = stored.set_running

    def fail_twice(*args):
        if len(refused) < 2:
            refused.append(1)
            raise StoreUnavailable
        return write(*args)

    monkeypatch.setattr(stored, "set_running", fail_twice)
    await look_often(database, service)
    assert not (await views.progress(database, "taste")).running
    assert calls(scripted) == {FAULTY: 4, HONEST: 4}


@pytest.mark.sqlite
async def test_cancelling_ends_the_calls_that_run(database, scripted):
    service = await begin(database, scripted)
    scripted.parts[HONEST] = ScriptedAnswer(hang=True)
    while scripted.running < 3:
        await service.look()
        await asyncio.sleep(0.01)
    await runs.cancel_run(database, "taste")
    await service.look()
    while scripted.running:
        await asyncio.sleep(0.01)
    assert calls(scripted)[HONEST] == 3


@pytest.mark.sqlite
async def test_one_unexpected_error_leaves_out_its_question_alone(database, scripted):
    await add_evaluation(database)
    failures = iter([OverflowError("once")])
    played = stored.put_answer

    def fail_once(*args, **fields):
        for error in failures:
            raise error
        return played(*args, **fields)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored, "put_answer", fail_once)
        found = await generation.generate(caller(database, scripted), "taste", at_once=1)
    assert sorted((run.done, run.left) for run in found) == [(2, 1), (3, 0)]
    assert sorted(bool(run.stopped) for run in found) == [False, True]


@pytest.mark.both_databases
@pytest.mark.parametrize("clock", [timedelta(seconds=9), timedelta(0), timedelta(hours=-1)], ids=["on", "same", "back"])
async def test_a_request_in_the_instant_in_which_the_former_run_ends_is_not_lost(
    database, scripted, monkeypatch, clock
):
    service = await begin(database, scripted)
    scripted.parts[FAULTY] = ScriptedAnswer(error=OverflowError())
    note_end, requested = runs._note_end, []

    def request_and_note_end(session, *args):
        if not requested:
            del scripted.parts[FAULTY]
            runs.start_run.__wrapped__(session, "taste", START + clock)
            requested.append(1)
        note_end(session, *args)

    monkeypatch.setattr(runs, "_note_end", request_and_note_end)
    await look_often(database, service)
    found = await views.progress(database, "taste")
    assert (found.running, [(model.answered, model.stopped) for model in found.models]) == (
        False,
        [(3, None), (3, None)],
    )
    assert calls(scripted) == {FAULTY: 3 + 4, HONEST: 4}


@pytest.mark.sqlite
async def test_requests_while_a_run_asks_make_one_more_and_no_endless_one(database, scripted):
    service = await begin(database, scripted)
    scripted.parts[FAULTY] = ScriptedAnswer(error=OverflowError())
    await service.look()
    for _ in range(5):
        await runs.start_run(database, "taste", START)
    await look_often(database, service)
    assert not (await views.progress(database, "taste")).running
    assert calls(scripted) == {FAULTY: 2 * 3, HONEST: 4}
