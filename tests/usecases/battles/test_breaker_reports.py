"""Each process reports its open circuit breakers, and the operator sees all of them."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta

import pytest

from arena.adapters.breaker import BreakerRules, CallVerdict, CircuitBreakers
from arena.adapters.store import endpoint_states, endpoints
from arena.usecases.battles import breakers
from arena.usecases.endpoints.views import detail
from tests.conftest import NAMES


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(breakers, "CHECK_SECONDS", 0.02)


@asynccontextmanager
async def process(runtime):
    """A second runtime of the same arena that reports its breakers."""
    second_runtime = replace(
        runtime,
        breakers=CircuitBreakers(BreakerRules(), time.monotonic),
        chat_breakers=CircuitBreakers(BreakerRules(), time.monotonic),
    )
    task = asyncio.create_task(breakers.report_breakers(second_runtime))
    yield second_runtime
    task.cancel()
    with suppress(asyncio.CancelledError):  # and nothing else: an error of the process is the test's
        await task


def fail(health: CircuitBreakers, number: int) -> None:
    (call,) = health.enter([number]).values()
    call.report(CallVerdict.HOPELESS)
    call.close()


async def until_open_in(runtime, number: int, processes: int, *, chats: bool = False) -> endpoint_states.Opened:
    async with asyncio.timeout(60):
        while True:
            opened = await runtime.database.read(
                lambda session: endpoint_states.open_breakers(session, runtime.now(), chats=chats)
            )
            opened = opened.get(number, endpoint_states.Opened())
            if opened.processes == processes:
                return opened
            await asyncio.sleep(0.02)


@pytest.mark.both_databases
async def test_what_processes_leave_alone_is_counted_until_it_answers_or_they_end(runtime):
    row = await runtime.database.read(endpoints.by_name, NAMES[0])
    async with process(runtime) as one:
        async with process(runtime) as other:
            fail(one.breakers, row.id)
            fail(other.breakers, row.id)
            assert (await until_open_in(runtime, row.id, 2)).since <= runtime.now()
            shown = await runtime.database.read(
                lambda s: detail(s, row, runtime.now(), runtime.breakers.condition(row.id), live=True)
            )
            assert (shown.health.state, shown.health.processes) == ("closed", 2)
        await until_open_in(runtime, row.id, 1)
        one.breakers._endpoints.clear()
        await until_open_in(runtime, row.id, 0)


async def test_the_word_of_a_process_that_died_does_not_count_for_long(runtime):
    row, now = await runtime.database.read(endpoints.by_name, NAMES[0]), runtime.now()
    await runtime.database.write(lambda s: endpoint_states.report_breakers(s, "dead", {row.id: now}, now, chats=False))
    assert (await runtime.database.read(lambda s: endpoint_states.open_breakers(s, now, chats=False)))[
        row.id
    ].processes == 1
    later = now + endpoint_states.FRESH + timedelta(seconds=1)
    assert await runtime.database.read(lambda s: endpoint_states.open_breakers(s, later, chats=False)) == {}


@pytest.mark.both_databases
async def test_where_all_is_well_nothing_is_written(runtime, monkeypatch):
    written, looked = [], asyncio.Semaphore(0)
    opened = CircuitBreakers.opened

    async def write(*args, **how):
        written.append((args, how))

    def look(health: CircuitBreakers):
        looked.release()
        return opened(health)

    monkeypatch.setattr(CircuitBreakers, "opened", look)
    async with process(runtime) as second_runtime:
        monkeypatch.setattr(second_runtime.database, "write", write)
        async with asyncio.timeout(60):
            for _ in range(10):
                await looked.acquire()
    assert written == []


async def test_an_owner_is_told_of_chats_and_not_of_battles(runtime):
    row = await runtime.database.read(endpoints.by_name, NAMES[0])

    def told(session) -> int:
        return detail(session, row, runtime.now(), runtime.chat_breakers.condition(row.id)).health.processes

    async with process(runtime) as second_runtime:
        fail(second_runtime.breakers, row.id)
        await until_open_in(runtime, row.id, 1)
        assert await runtime.database.read(told) == 0
        fail(second_runtime.chat_breakers, row.id)
        await until_open_in(runtime, row.id, 1, chats=True)
        assert await runtime.database.read(told) == 1
