"""Processes of the API die by `kill -9` while votes are cast: what was acknowledged is there, once."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass

import pytest

from tests.faults.load import Load, add_battles, check


@dataclass(frozen=True)
class Size:
    kills: int
    votes: int
    battles: int


SIZES = [
    pytest.param(Size(1, 20, 500), id="small"),
    pytest.param(Size(50, 10_000, 20_000), id="full", marks=pytest.mark.heavy),
]


@pytest.mark.both_databases
@pytest.mark.parametrize("size", SIZES)
async def test_no_acknowledged_vote_is_lost_or_doubled_when_processes_are_killed(size, url, process, record_property):
    ready = await add_battles(url, size.battles)
    # A file has one process; on a server one dies while the other goes on.
    count, rate = (1, 150) if url.startswith("sqlite") else (2, 30)
    doors = [process("serve", "--no-worker", ARENA_DATABASE_URL=url) for _ in range(count)]
    for door in doors:
        door.start()
    load, rng = Load([door.url for door in doors], ready, rate), random.Random(1)
    async with load.running():
        for kill in range(size.kills):
            await load.reach(size.votes * (kill + 1) // size.kills)
            await asyncio.sleep(rng.random() / 10)
            victim = doors[kill % count]
            victim.kill()
            await asyncio.to_thread(victim.start)
        await load.go_on()
    await check(url, load)
    assert len(load.acknowledged) >= size.votes
    # The kills came while votes were on their way.
    assert load.transport_errors.total() >= size.kills
    assert {status for status, _ in load.failures()} <= {503}
    record_property("acknowledged", len(load.acknowledged))
    record_property("broken", str(dict(load.transport_errors)))
