"""The database server dies and comes back, again and again: no promise is broken, and who waits is told how long."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from arena.store.migrate import migrate
from tests.faults.load import UNSAVED, Load, check, stock
from tests.servers import Postgres


@dataclass(frozen=True)
class Size:
    restarts: int
    rate: float
    battles: int


SIZES = [
    pytest.param(Size(2, 50, 3_000), id="small"),
    pytest.param(Size(20, 100, 30_000), id="full", marks=pytest.mark.heavy),
]


@pytest.fixture
def durable() -> Iterator[Postgres]:
    """A server that flushes as in earnest."""
    server = Postgres()
    migrate(server.url)
    yield server
    server.remove()


@pytest.mark.parametrize("size", SIZES)
async def test_no_acknowledged_vote_is_lost_when_the_database_is_restarted_at_once(
    size, durable, process, record_property
):
    door = process("serve", "--no-worker", ARENA_DATABASE_URL=durable.url).start()
    load = Load([door.url], await stock(durable.url, size.battles), size.rate)
    waits = []
    async with load.running():
        for _ in range(size.restarts):
            await load.go_on(round(size.rate))
            await asyncio.to_thread(durable.stop, signal.SIGQUIT)  # its immediate stop
            await load.refused()
            await asyncio.to_thread(durable.start)
            back = time.monotonic()
            await load.go_on(1)
            waits.append(time.monotonic() - back)
        await load.go_on()
    await check(durable.url, load)
    # Nobody was hung up on, and every error says when to come again.
    assert load.broken == {}
    assert load.failures() == {UNSAVED}
    record_property("acknowledged", len(load.kept))
    record_property("answers", dict(load.answers))
    record_property("serving again after s", f"median {sorted(waits)[len(waits) // 2]:.2f}, worst {max(waits):.2f}")
