"""Several workers, one of which is paused beyond its lease in the middle of its work: one line of snapshots."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from sqlalchemy import select

from arena.adapters.store.engine import open_database
from arena.adapters.store.tables.operations import LeaseRow
from arena.adapters.store.tables.snapshots import SnapshotRow
from arena.usecases.exchange import importer
from arena.usecases.work_lease import LEASE_SECONDS
from tests.conftest import START
from tests.processes import PATIENCE, Process
from tests.usecases.ranking.test_slice_boards import made


@dataclass(frozen=True)
class Size:
    pauses: int
    seconds: float
    orders: int


SIZES = [
    pytest.param(Size(1, LEASE_SECONDS + 1, 20), id="small"),
    pytest.param(Size(3, 30, 20_000), id="full", marks=pytest.mark.heavy),
]


def pieces(votes: list, size: int) -> Iterator[list]:
    return (votes[start : start + size] for start in range(0, len(votes), size))


async def feed(database) -> None:
    """More votes whenever a snapshot has counted those before, so that there is always something to compute."""
    for few in pieces(made(10_000), 20):
        before = len(await database.read(line))
        await importer.import_votes(database, few, START)
        while len(await database.read(line)) == before:
            await asyncio.sleep(0.1)


def line(session) -> list[tuple[int, int]]:
    """Up to which vote each snapshot counts, and over how many orders: a quick one is followed by a full one."""
    rows = session.scalars(select(SnapshotRow).order_by(SnapshotRow.id))
    return [(row.last_vote, row.parameters["elo"]["orders"]) for row in rows]


def epoch(session) -> int:
    return session.scalar(select(LeaseRow.epoch)) or 0


def led(worker: Process, number: int) -> bool:
    """Whether this worker says that it took the lease with this fencing token."""
    return re.search(rf"with fencing token {number}\b", worker.log.read_text()) is not None


@pytest.mark.parametrize("size", SIZES)
async def test_a_worker_paused_beyond_its_lease_publishes_nothing(size, postgres_url, process, record_property):
    settings = {"ARENA_RANK_SECONDS": "0.2", "ARENA_RANK_ORDERS": str(size.orders)}
    workers = [process("worker", ARENA_DATABASE_URL=postgres_url, **settings) for _ in range(2)]
    for worker in workers:
        await asyncio.to_thread(worker.start)
    database = open_database(postgres_url)
    feeding = asyncio.create_task(feed(database))

    async def more(snapshots: int, after: int = 0) -> None:
        """Wait for so many more snapshots than there are, by a worker later than number `after`."""
        before = len(await database.read(line))
        async with asyncio.timeout(PATIENCE):
            while len(await database.read(line)) < before + snapshots or await database.read(epoch) <= after:
                await asyncio.sleep(0.1)

    for _ in range(size.pauses):
        await more(3)
        number = await database.read(epoch)
        leader = next(worker for worker in workers if led(worker, number))
        leader.send(signal.SIGSTOP)
        await asyncio.gather(asyncio.sleep(size.seconds), more(2, after=number))
        leader.send(signal.SIGCONT)
        await more(3)
    feeding.cancel()
    await asyncio.gather(feeding, return_exceptions=True)
    snapshots, numbers = await database.read(line), await database.read(epoch)
    database.close()
    assert snapshots == sorted(set(snapshots))
    assert [sum(led(worker, number) for worker in workers) for number in range(1, numbers + 1)] == [1] * numbers
    assert numbers > size.pauses
    record_property("snapshots", len(snapshots))
    record_property("changes of hands", numbers)
    record_property(
        "computed too late and dropped", sum(worker.log.read_text().count("has taken over") for worker in workers)
    )
