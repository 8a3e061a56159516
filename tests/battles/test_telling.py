"""Each process says which endpoints it leaves alone, and the operator sees it from everywhere."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from arena.battles import telling
from arena.endpoints import detail
from arena.health import Health, Rules, Verdict
from arena.store import breakers, endpoints
from tests.conftest import NAMES


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(telling, "LOOK", 0.02)


@asynccontextmanager
async def process(stage):
    """Another process of the same arena, which tells of its breakers."""
    there = replace(stage, health=Health(Rules(), time.monotonic))
    task = asyncio.create_task(telling.tell_breakers(there))
    yield there
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def fail(stage, number: int) -> None:
    (call,) = stage.health.enter([number]).values()
    call.report(Verdict.HOPELESS)
    call.close()


async def until_open_in(stage, number: int, processes: int) -> breakers.Opened:
    async with asyncio.timeout(60):
        while True:
            opened = (await stage.database.read(breakers.opened, stage.now())).get(number, breakers.Opened())
            if opened.processes == processes:
                return opened
            await asyncio.sleep(0.02)


async def test_what_processes_leave_alone_is_counted_until_it_answers_or_they_end(stage):
    row = await stage.database.read(endpoints.by_name, NAMES[0])
    async with process(stage) as one:
        async with process(stage) as other:
            fail(one, row.id)
            fail(other, row.id)
            assert (await until_open_in(stage, row.id, 2)).since <= stage.now()
            shown = await stage.database.read(lambda s: detail(s, row, stage.now(), stage.health.condition(row.id)))
            assert (shown.health.state, shown.health.processes) == ("closed", 2)
        await until_open_in(stage, row.id, 1)
        one.health._known.clear()
        await until_open_in(stage, row.id, 0)


async def test_the_word_of_a_process_that_died_does_not_count_for_long(stage):
    row, now = await stage.database.read(endpoints.by_name, NAMES[0]), stage.now()
    await stage.database.write(breakers.tell, "dead", {row.id: now}, now)
    assert (await stage.database.read(breakers.opened, now))[row.id].processes == 1
    later = now + breakers.FRESH + timedelta(seconds=1)
    assert await stage.database.read(breakers.opened, later) == {}


async def test_where_all_is_well_nothing_is_written(stage, monkeypatch):
    async def refuse(*_args):
        raise AssertionError

    async with process(stage) as there:
        monkeypatch.setattr(there.database, "write", refuse)
        await asyncio.sleep(0.2)
