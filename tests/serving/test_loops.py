"""The loop itself: its period, its failures, what it wakes, and what it writes down."""

import ast
import asyncio
import json
from concurrent.futures.process import BrokenProcessPool
from datetime import UTC, datetime, timedelta
from functools import cache

import pytest

from arena.adapters.background import in_background
from arena.adapters.observability.metrics import REGISTRY
from arena.adapters.store import leases
from arena.adapters.store import loops as stored
from arena.adapters.store.leases import Superseded, unguarded
from arena.adapters.store.loops import LoopState
from arena.domain.errors import Invalid, StoreUnavailable
from arena.serving import loops as module
from arena.serving.loops import Loop, Progress, run_loops
from arena.usecases.work_lease import NAME, WorkLease
from tests.paths import ROOT
from tests.processes import PATIENCE

ENDLESS = {
    "adapters/store/engine/sqlite.py": "the writer's thread, which waits for work",
    "api/http/events.py": "one stream of events, as long as its reader",
    "client.py": "one stream of events, in the client",
    "adapters/background.py": "the helper `repeat`",
    "serving/loops.py": "the loop itself, and the report of its states",
    "usecases/work_lease.py": "renews a lease, without which there is no loop",
    "serving/presence.py": "shows that the process is there",
    "serving/composition.py": "renews slots in Redis",
    "serving/worker.py": "ends a process without work",
    "usecases/battles/breakers.py": "probes and reports what only this process has in memory",
    "usecases/battles/battles.py": "draws again while the pool changes",
    "usecases/battles/followed_pace.py": "a copy in memory",
    "usecases/battles/pool.py": "a copy in memory",
    "usecases/battles/runtime.py": "a copy in memory",
    "usecases/endpoints/probes/probe_calls.py": "reads one answer",
    "usecases/people/sittings.py": "a copy in memory",
    "adapters/images/fork_server.py": "forks decoders until the arena ends",
    "adapters/row_files/csv_rows.py": "reads one file",
    "adapters/row_files/json_rows.py": "reads one file",
}
"""Files with `while True` or `repeat` that are no background work with an age, and what repeats there."""
ARENA, LOCALES = ROOT / "arena", ROOT / "frontend/arena_frontend/locales"
LANGUAGES = ("en", "zh", "zh-TW")
TEXTS = "op.loops."
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


@cache
def trees() -> dict[str, ast.AST]:
    return {str(path.relative_to(ARENA)): ast.parse(path.read_text()) for path in sorted(ARENA.rglob("*.py"))}


def is_endless(node: ast.AST) -> bool:
    if isinstance(node, ast.While):
        return isinstance(node.test, ast.Constant)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "repeat"


def names_of_loops() -> set[str]:
    calls = [node for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {call.args[0].value for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Loop"}  # pyright: ignore[reportAttributeAccessIssue]


def test_all_background_work_is_a_loop_with_an_age():
    endless = {name for name, tree in trees().items() if any(map(is_endless, ast.walk(tree)))}
    assert endless - ENDLESS.keys() == set()
    assert ENDLESS.keys() - endless == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_loop_has_a_name_on_the_operators_page(language):
    texts = json.loads((LOCALES / f"{language}.json").read_text("utf-8"))
    names = names_of_loops()
    assert len(names) > 20
    assert {name for name in names if TEXTS + name not in texts} == set()


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


@pytest.mark.parametrize(
    ("waits", "ages"),
    [
        ([None, None], [0, 0]),
        ([20, 30], [20, 20]),
        # An imported vote is older than the pass that left none behind.
        ([None, 1_000_000], [0, 0]),
        ([1_000_000, 5], [1_000_000, 5]),
        # Another machine's clock is ahead.
        ([-5, None], [0, 0]),
    ],
)
async def test_a_loop_whose_input_waits_is_as_old_as_its_result(waits, ages):
    remaining = iter(waits)

    async def oldest_wait():
        seconds = next(remaining)
        return None if seconds is None else NOW - timedelta(seconds=seconds)

    one = loop(Progress.NONE, Progress.MADE, oldest_wait=oldest_wait)
    for age in ages:
        await pauses(one, 1)
        assert one.state.passed_at == NOW - timedelta(seconds=age)
        assert REGISTRY.get_sample_value("arena_loop_passed_unixtime", {"loop": "some"}) == NOW.timestamp() - age


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


async def test_a_full_disk_or_a_folder_that_cannot_be_written_is_one_sentence(caplog):
    full, closed = OSError(28, "No space left on device"), PermissionError(13, "Permission denied", "/log/tile")
    one = loop(full, full, closed)
    await pauses(one, 3)
    assert caplog.messages == [
        "some: the pass failed: No space left on device",
        "some: the pass failed: Permission denied: /log/tile",
    ]
    assert one.state.failure == "Permission denied: /log/tile"


async def test_a_lost_process_and_a_lost_lease_have_a_sentence_each(caplog):
    await pauses(loop(BrokenProcessPool(), Superseded()), 2)
    assert "the next pass starts another" in caplog.text
    assert "another process has taken over" in caplog.text
    assert not any(record.exc_info for record in caplog.records)


async def test_what_follows_begins_at_once_and_a_loop_that_failed_is_not_hurried():
    second, third = loop(Progress.MADE, period=3_600), loop(Invalid("no"), period=3_600)
    await pauses(third, 1)
    first = loop(Progress.NONE, Progress.UNFINISHED, Progress.MADE, followers=(second, third))
    await pauses(first, 2)  # what follows a quick board would be done again after the full one
    assert not second._woken.is_set()
    await pauses(first, 1)
    assert second._woken.is_set()
    assert not third._woken.is_set()


@pytest.mark.parametrize(("seconds", "begins"), [(0.0, True), (1_000.0, False)])
async def test_a_loop_that_is_woken_rests_in_proportion_to_its_last_pass(seconds, begins):
    """Else one that is woken all the time, as the board by each vote, would take a whole processor."""
    one = loop(period=3_600)
    one.state.seconds = seconds
    one.wake()
    pause = asyncio.create_task(one._pause(one.period))
    for _ in range(20):
        await asyncio.sleep(0)
    assert pause.done() is begins
    pause.cancel()


@pytest.mark.parametrize("steps", range(6))
async def test_a_loop_that_is_woken_just_before_it_is_ended_ends(steps):
    one = loop(Progress.NONE, period=3_600)
    task = asyncio.create_task(one.run(lambda: NOW))
    while not one.state.passed_at:
        await asyncio.sleep(0)
    for _ in range(5):
        await asyncio.sleep(0)
    one.wake()
    for _ in range(steps):
        await asyncio.sleep(0)
    for _ in range(20):
        task.cancel() if not task.cancelling() else None
        await asyncio.sleep(0)
    assert task.done()


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
        await runtime.database.write(stored.report, {"some": (10.0, 100.0, LoopState(passed_at=passed))}, later)
    (row,) = await runtime.database.read(stored.states)
    assert row.passed_at == later


async def test_a_clock_that_was_set_back_hides_no_loop_that_hangs(runtime):
    state, back = LoopState(passed_at=NOW, worked_at=NOW), NOW - timedelta(hours=1)
    late = []
    for moment in (NOW, back, back + timedelta(seconds=99), back + timedelta(seconds=101)):
        state.bound(moment)
        await runtime.database.write(stored.report, {"some": (10.0, 100.0, state)}, moment)
        (row,) = await runtime.database.read(stored.states)
        late.append(stored.is_late(row, moment))
    assert (row.passed_at, row.worked_at, late) == (back, back, [False, False, False, True])


async def test_the_states_of_running_loops_are_bounded_by_the_clock(runtime, monkeypatch):
    monkeypatch.setattr(module, "REPORT_SECONDS", 0.02)
    one = loop()
    one.state.passed_at = NOW + timedelta(hours=1)
    async with in_background(run_loops([one], runtime.database, lambda: NOW)), asyncio.timeout(PATIENCE):
        while not await runtime.database.read(stored.states):
            await asyncio.sleep(0.01)
    assert one.state.passed_at == NOW


@pytest.mark.parametrize("gets_it_back_at_once", [False, True])
async def test_a_loop_that_another_process_has_run_forgets_and_shows_no_figures(runtime, gets_it_back_at_once):
    """A process that was stopped for longer than a lease lasts sees only a new fencing token."""
    forgotten, passes = [], []
    lease, other = (WorkLease(runtime.database, lambda: datetime.now(UTC)) for _ in range(2))

    async def work(_guard):
        passes.append(lease.epoch)
        return Progress.NONE

    async def forget():
        forgotten.append(REGISTRY.get_sample_value("arena_loop_passed_unixtime", {"loop": "some"}))

    async def let_go(one):
        await runtime.database.write(leases.release, NAME, one.holder, datetime.now(UTC))

    async def until(condition):
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await asyncio.sleep(0.01)

    one = Loop("some", work, 0.01, lease, stand_by=forget)
    assert await lease.acquire()
    async with in_background(one.run(lambda: NOW)):
        await until(lambda: len(passes) > 1)
        assert (forgotten, one.state.passed_at) == ([], NOW)
        await let_go(lease)
        assert await other.acquire()
        if gets_it_back_at_once:
            await let_go(other)
            assert await lease.acquire()
            await until(lambda: passes[-1] > passes[0])
        else:
            assert not await lease.acquire()
            await until(lambda: forgotten)
            await asyncio.sleep(0.05)
            assert one.state == LoopState()
        assert forgotten == [None]
    assert len(forgotten) == 2


async def test_a_loop_is_late_after_its_own_bound_or_ten_periods(runtime):
    loops = [loop(Progress.NONE, period=60), loop(Progress.NONE, period=60, late_after=30)]
    for number, each in enumerate(loops):
        each.name = str(number)
        await pauses(each, 1)
    states = {each.name: (each.period, each.late_after, each.state) for each in loops}
    await runtime.database.write(stored.report, states, NOW)
    late = []
    for seconds in (29, 31, 601):
        rows = await runtime.database.read(stored.states)
        late.append([stored.is_late(row, NOW + timedelta(seconds=seconds)) for row in rows])
    assert late == [[False, False], [False, True], [True, True]]


async def test_a_loop_that_no_process_has_any_more_is_not_shown(runtime):
    for name, age in (("old", stored.FORGOTTEN), ("new", timedelta(0))):
        await runtime.database.write(stored.report, {name: (1.0, 100.0, LoopState())}, NOW - age)
    assert [row.name for row in await runtime.database.read(stored.states)] == ["new"]
