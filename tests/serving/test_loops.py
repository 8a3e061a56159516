"""The loop itself: its period, its failures, what it wakes, and what it writes down."""

import asyncio
from concurrent.futures.process import BrokenProcessPool
from datetime import UTC, datetime, timedelta

import pytest

from arena.adapters.background import in_background
from arena.adapters.observability.metrics import REGISTRY
from arena.adapters.store import loops as stored
from arena.adapters.store.leases import Superseded, unguarded
from arena.adapters.store.loops import LoopState
from arena.domain.errors import Invalid, StoreUnavailable
from arena.serving import loops as module
from arena.serving.loops import Loop, Progress, run_loops
from tests.processes import PATIENCE

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)


def loop(*passes, period=1.0, **options) -> Loop:
    """A loop whose passes do these in turn: an error is raised, anything else returned; then it hangs."""
    remaining = iter(passes)

    async def work(_guard):
        result = next(remaining, None)
        if result is None:
            await asyncio.Event().wait()
        if isinstance(result, Exception):
            raise result
        return result

    return Loop("some", work, period, **options)  # pyright: ignore[reportArgumentType]


async def pauses(one: Loop, count: int) -> list[float]:
    return [await one._pass(lambda: NOW, unguarded) for _ in range(count)]


async def test_the_next_pass_follows_after_the_period_or_at_once_where_more_is_due():
    assert await pauses(loop(Progress.NONE, Progress.MADE, Progress.UNFINISHED, period=7), 3) == [7, 7, 0]


async def test_a_loop_that_fails_waits_longer_each_time_up_to_its_limit_and_then_as_before():
    errors = [Invalid("no space"), RuntimeError("a bug"), *[Invalid("no space")] * 60]
    one = loop(*errors, Progress.NONE, Invalid("no space"), period=10, max_pause=300)
    assert await pauses(one, 8) == [10, 20, 40, 80, 160, 300, 300, 300]
    assert (await pauses(one, 54))[-1] == 300
    assert await pauses(one, 2) == [10, 10]


async def test_a_period_longer_than_the_limit_stays_the_pause():
    assert await pauses(loop(Invalid("no"), Invalid("no"), period=500, max_pause=60), 2) == [500, 500]


async def test_a_failure_is_logged_once_until_another_or_a_success(caplog):
    one = loop(Invalid("full"), Invalid("full"), StoreUnavailable(), Invalid("full"), Progress.NONE, Invalid("full"))
    await pauses(one, 6)
    assert caplog.text.count("some: the pass failed: full") == 3
    assert one.state.failure == "full"


async def test_an_unexpected_error_is_logged_with_its_traceback_each_time(caplog):
    one = loop(RuntimeError("odd"), RuntimeError("odd"))
    await pauses(one, 2)
    assert sum(bool(record.exc_info) for record in caplog.records) == 2
    assert "log" in one.state.failure


async def test_a_lost_process_and_a_lost_lease_have_a_sentence_each(caplog):
    await pauses(loop(BrokenProcessPool(), Superseded()), 2)
    assert "the next pass starts another" in caplog.text
    assert "another process has taken over" in caplog.text
    assert not any(record.exc_info for record in caplog.records)


async def test_what_follows_begins_at_once_and_a_loop_that_failed_is_not_hurried():
    second, third = loop(Progress.MADE, period=3_600), loop(Invalid("no"), period=3_600)
    await pauses(third, 1)
    first = loop(Progress.NONE, Progress.MADE, followers=(second, third))
    await pauses(first, 1)
    assert not second._woken.is_set()
    await pauses(first, 1)
    assert second._woken.is_set()
    assert not third._woken.is_set()


async def test_a_loop_that_fails_or_hangs_holds_up_no_other(runtime):
    count = asyncio.Event()
    made = []

    async def work(_guard):
        made.append(1)
        if len(made) == 20:
            count.set()
        return Progress.MADE

    loops = [loop(), loop(*[RuntimeError("odd")] * 1_000, period=0.01), Loop("good", work, 0.01)]
    for number, each in enumerate(loops):
        each.name = f"loop {number}"
    async with in_background(run_loops(loops, runtime.database, lambda: NOW)), asyncio.timeout(PATIENCE):
        await count.wait()


@pytest.mark.both_databases
async def test_states_are_stored_and_outlive_a_start(runtime, monkeypatch):
    monkeypatch.setattr(module, "REPORT_SECONDS", 0.02)
    first = loop(Progress.MADE, Progress.NONE, Invalid("x" * 1_000), period=0.01)
    async with in_background(run_loops([first], runtime.database, lambda: NOW)), asyncio.timeout(PATIENCE):
        while not (rows := await runtime.database.read(stored.states)) or not rows[0].failure:
            await asyncio.sleep(0.01)
    row = rows[0]
    assert (row.name, row.period, row.passed_at, row.worked_at) == ("some", 0.01, NOW, NOW)
    assert row.failure == "x" * stored.MAX_FAILURE
    async with in_background(run_loops([loop()], runtime.database, lambda: NOW)), asyncio.timeout(PATIENCE):
        while (rows := await runtime.database.read(stored.states))[0].failure:
            await asyncio.sleep(0.01)
    assert (rows[0].passed_at, rows[0].worked_at) == (NOW, NOW)


@pytest.mark.both_databases
async def test_a_worker_that_leads_again_does_not_take_back_what_another_has_done_meanwhile(runtime):
    later = NOW + timedelta(minutes=5)
    for passed in (later, NOW):
        await runtime.database.write(stored.report, {"some": (10.0, LoopState(passed_at=passed))}, later)
    (row,) = await runtime.database.read(stored.states)
    assert row.passed_at == later


async def test_a_loop_that_another_process_runs_now_shows_no_figures():
    forgotten = []
    one = loop(Progress.MADE, forget=lambda: forgotten.append(1))
    await pauses(one, 1)
    shown = {"loop": "some"}
    assert REGISTRY.get_sample_value("arena_loop_passed_unixtime", shown) == NOW.timestamp()
    for _ in range(2):
        one._stand_by()
    assert REGISTRY.get_sample_value("arena_loop_passed_unixtime", shown) is None
    assert len(forgotten) == 1
