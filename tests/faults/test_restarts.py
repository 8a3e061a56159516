"""The database server dies and comes back, again and again: no promise is broken, and who waits is told how long."""

from __future__ import annotations

import asyncio
import signal
import time
from dataclasses import dataclass

import pytest

from tests.faults.load import UNSAVED, Load, add_battles, check
from tests.faults.tracing import FLUSH, children, strace


@dataclass(frozen=True)
class Size:
    restarts: int
    rate: float
    battles: int


SIZES = [
    pytest.param(Size(1, 50, 3_000), id="small"),
    pytest.param(Size(20, 100, 30_000), id="full", marks=pytest.mark.heavy),
]


@pytest.mark.parametrize("size", SIZES)
async def test_no_acknowledged_vote_is_lost_when_the_database_is_restarted_at_once(
    size, durable, process, record_property
):
    door = process("serve", "--no-worker", ARENA_DATABASE_URL=durable.url).start()
    load = Load([door.url], await add_battles(durable.url, size.battles), size.rate)
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
    assert load.transport_errors == {}
    assert load.failures() == {UNSAVED}
    record_property("acknowledged", len(load.acknowledged))
    record_property("answers", str(dict(load.answers)))
    record_property("serving again after s", f"median {sorted(waits)[len(waits) // 2]:.2f}, worst {max(waits):.2f}")


async def test_a_server_that_cannot_flush_gives_up_and_comes_back_with_every_acknowledged_vote(
    durable, process, tmp_path
):
    door = process("serve", "--no-worker", ARENA_DATABASE_URL=durable.url).start()
    load = Load([door.url], await add_battles(durable.url, 3_000), rate=30)
    failing = ("-e", f"trace={FLUSH}", "-e", f"inject={FLUSH}:error=EIO")
    async with load.running():
        await load.reach(10)
        # Those that it starts in their place may flush again.
        with strace(children(durable.process.pid), tmp_path / "calls", *failing):
            await load.refused()
            await load.go_on()
    await check(durable.url, load)
    assert load.transport_errors == {}
    assert load.failures() == {UNSAVED}
