"""Votes that keep coming, over midnight and a week's end, while workers die and the database restarts."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from sqlalchemy import func, select, update

from arena.adapters.store import loops, votes
from arena.adapters.store.engine import Database, open_database
from arena.adapters.store.keyring import new_master
from arena.adapters.store.tables.conversations import BattleRow
from arena.adapters.store.tables.snapshots import SnapshotRow
from arena.domain.errors import StoreUnavailable
from tests.faults.load import Load, add_battles, check
from tests.faults.moved_clock import MovedClock
from tests.processes import PATIENCE, Process

pytestmark = pytest.mark.heavy
MINUTES: Final = float(os.environ.get("ARENA_TEST_BUSY_MINUTES", "30"))
RATE: Final = 5.0
KEY: Final = {"ARENA_SECRET_KEY": new_master()}
"""Without it there is no transparency log, and its loop fails."""
SETTINGS: Final = {"ARENA_RANK_SECONDS": "2", "ARENA_FILES": "daily", **KEY}
LOOPS: Final = {
    *("turns", "endpoints", "labels", "gate", "board", "parts", "pairs", "snapshots", "retention", "files"),
    *("sequencer", "evaluations", "webhooks", "probes", "mute_endpoints", "unknown_finishes"),
}
"""Those that have a pass at least once a minute."""
SATURDAY: Final = 5


def noon_of_saturday() -> datetime:
    """The next one: half a day later it is midnight, and a day after that the week ends."""
    today = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    return today + timedelta(days=(SATURDAY - today.weekday()) % 7 + 7)


async def read(database: Database, query: Callable[..., Any]) -> Any:
    """The answer to a query once the database is there."""
    while True:
        try:
            return await database.read(query)
        except StoreUnavailable:
            await asyncio.sleep(0.2)


async def until(condition: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await condition():
            await asyncio.sleep(0.2)


async def board_follows(database: Database) -> None:
    """Wait until all votes that there are now are on a board."""
    last = await read(database, votes.last_number)
    newest = select(func.coalesce(func.max(SnapshotRow.last_vote), 0))

    async def is_on_board() -> bool:
        return await read(database, lambda session: session.scalar(newest)) >= last

    await until(is_on_board)


async def every_loop_passes(database: Database, clock: MovedClock) -> None:
    """Wait until each loop has succeeded after this moment, and none has failed since."""
    moment = clock.now()

    async def have_passed() -> bool:
        rows = {row.name: row for row in await read(database, loops.states) if row.name in LOOPS}
        assert rows.keys() == LOOPS
        return all(row.passed_at and row.passed_at > moment and not row.failure for row in rows.values())

    await until(have_passed)


async def restart(processes: list[Process]) -> None:
    """Kill all and start them again."""
    for process in processes:
        process.kill()
    for process in processes:
        await asyncio.to_thread(process.start)


async def run_days(url: str, door: Process, workers: list[Process], clock: MovedClock, restart_database=None) -> Load:
    """Let votes arrive while it happens, one after the other; returns the load after the last."""
    ready = await add_battles(url, round(RATE * 60 * MINUTES * 2) + 5_000)
    database = open_database(url)
    # Battles without a vote are given up after a day.
    late = clock.now() + timedelta(days=3)
    await database.write(lambda session: session.execute(update(BattleRow).values(created_at=late)))
    for process in {door, *workers}:
        await asyncio.to_thread(process.start)
    load = Load([door.url], ready, RATE)

    async def move(step: timedelta) -> None:
        clock.move(step)

    events = [
        lambda: restart(workers),
        lambda: move(timedelta(hours=12)),
        *([restart_database] if restart_database else []),
        lambda: restart(workers),
        lambda: move(timedelta(days=1)),
    ]
    async with load.running():
        for event in events:
            await asyncio.sleep(60 * MINUTES / (len(events) + 1))
            await event()
            await load.go_on()
            await board_follows(database)
        await asyncio.sleep(60 * MINUTES / (len(events) + 1))
        await every_loop_passes(database, clock)
        await load.go_on()
    await board_follows(database)
    database.close()
    await check(url, load)
    return load


async def test_a_file_and_its_one_process_go_on(sqlite_url, process, tmp_path, record_property):
    clock = MovedClock(tmp_path / "clock", noon_of_saturday())
    door = clock.give(process("serve", ARENA_DATABASE_URL=sqlite_url, **SETTINGS))
    load = await run_days(sqlite_url, door, [door], clock)
    assert len(load.acknowledged) >= RATE * 60 * MINUTES / 2
    record_property("acknowledged", len(load.acknowledged))
    record_property("longest", round(load.longest, 1))


async def test_a_server_with_two_workers_goes_on(durable, process, tmp_path, record_property):
    clock = MovedClock(tmp_path / "clock", noon_of_saturday())
    door = clock.give(process("serve", "--no-worker", ARENA_DATABASE_URL=durable.url, **KEY))
    workers = [clock.give(process("worker", ARENA_DATABASE_URL=durable.url, **SETTINGS)) for _ in range(2)]

    async def restart_database() -> None:
        await asyncio.to_thread(durable.stop)
        await asyncio.to_thread(durable.start)

    load = await run_days(durable.url, door, workers, clock, restart_database)
    assert len(load.acknowledged) >= RATE * 60 * MINUTES / 2
    record_property("acknowledged", len(load.acknowledged))
    record_property("longest", round(load.longest, 1))
