"""The order to stop while people read: each stream gets its end, nothing is left running, and the process goes."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass

import pytest
from sqlalchemy import func, select

from arena.adapters.store.engine import open_database
from arena.adapters.store.tables.conversations import BattleRow, TurnRow
from arena.client import ArenaClient
from arena.domain.schemas.battles import ClosingEvent, DeltaEvent, TurnFailedEvent, TurnReadyEvent
from arena.domain.terms import BattleState, TurnState
from tests.processes import PATIENCE, Process


@dataclass(frozen=True)
class Size:
    streams: int
    rounds: int
    grace: float
    within: float


SIZES = [
    pytest.param(Size(20, 1, 0.5, PATIENCE), id="small"),
    pytest.param(Size(200, 5, 30, 35), id="full", marks=pytest.mark.heavy),
]
SLOW = {"ARENA_RELEASE_RATE": "1", "ARENA_FRAME_SECONDS": "1", "ARENA_DEMO": "on"}
MANY = {
    f"ARENA_{name}": "1000"
    for name in ("RUNNING", "RUNNING_PER_ADDRESS", "RUNNING_PER_ENDPOINT", "PROMPTS_PER_MINUTE_PER_ADDRESS")
}


class Reader:
    """One person who asked and reads; `end` is the last that the stream said."""

    def __init__(self, door: Process) -> None:
        self.client = ArenaClient(door.url)
        self.begun = asyncio.Event()
        self.end: object = None

    async def read(self) -> None:
        async with self.client as client:
            battle = await client.open_battle("Write a long essay about rivers", terms=1)
            async for event in client.stream_battle(battle.id):
                self.end = event
                if isinstance(event, DeltaEvent):
                    self.begun.set()
                if isinstance(event, ClosingEvent):
                    return


async def left(url: str) -> tuple[Counter[str], Counter[str]]:
    """In which states the turns and battles were left."""
    database = open_database(url)

    def states(session, row) -> Counter[str]:
        return Counter(dict(session.execute(select(row.state, func.count()).group_by(row.state)).all()))

    found = await database.read(states, TurnRow), await database.read(states, BattleRow)
    database.close()
    return found


@pytest.mark.parametrize("size", SIZES)
async def test_who_reads_is_told_the_end_and_no_turn_is_left_running(size, url, process, record_property):
    door = process("serve", "--no-worker", ARENA_DATABASE_URL=url, ARENA_GRACE_SECONDS=str(size.grace), **SLOW, **MANY)
    took = []
    for _ in range(size.rounds):
        await asyncio.to_thread(door.start)
        readers = [Reader(door) for _ in range(size.streams)]
        reading = [asyncio.create_task(reader.read()) for reader in readers]
        await asyncio.wait_for(asyncio.gather(*(reader.begun.wait() for reader in readers)), PATIENCE)
        begun = time.monotonic()
        assert await asyncio.to_thread(door.stop) == 0
        took.append(time.monotonic() - begun)
        await asyncio.wait_for(asyncio.gather(*reading), PATIENCE)
        assert {getattr(reader.end, "code", "ready") for reader in readers} <= {"shutting_down", "ready"}
        assert all(isinstance(reader.end, TurnFailedEvent | TurnReadyEvent) for reader in readers)
    turns, battles = await left(url)
    record_property("exit after s", str([round(seconds, 1) for seconds in took]))
    record_property("turns", str({str(state): count for state, count in turns.items()}))
    assert turns.total() == size.rounds * size.streams
    assert turns[TurnState.RUNNING] == 0
    assert battles[BattleState.OPEN] == turns[TurnState.READY]
    said = door.log.read_text()
    assert "Traceback" not in said
    assert "sweeper" not in said
    assert max(took) <= size.within
