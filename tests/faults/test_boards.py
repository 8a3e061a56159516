"""A crowd reads the leaderboard while new snapshots appear: each is built once, and nobody is refused."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.request import urlopen

import pytest

from arena.adapters.store import snapshots
from arena.adapters.store.tables.snapshots import SnapshotRow
from arena.usecases.exchange import importer
from arena.usecases.ranking.vote_columns import CountedLog
from tests.conftest import START
from tests.processes import PATIENCE
from tests.publication import publish_once
from tests.servers import free_port
from tests.usecases.ranking.test_slice_boards import METHOD, made


@dataclass(frozen=True)
class Size:
    readers: int
    snapshots: int


SIZES = [pytest.param(Size(100, 3), id="small"), pytest.param(Size(1000, 20), id="full", marks=pytest.mark.heavy)]


def another(session) -> None:
    """The newest snapshot once more, under the next number."""
    row = snapshots.newest(session)
    columns = {column.key: getattr(row, column.key) for column in SnapshotRow.__table__.columns if column.key != "id"}
    session.add(SnapshotRow(**{**columns, "created_at": datetime.now(UTC)}))


async def publish(database) -> None:
    await importer.import_votes(database, made(50), START)
    with ThreadPoolExecutor(1) as executor:
        await publish_once(database, METHOD, CountedLog(), executor=executor, now=lambda: datetime.now(UTC))


def built(port: int) -> int:
    """How many pages the process has built so far."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
        lines = answer.read().decode().splitlines()
    return round(float(next(line for line in lines if line.startswith("arena_pages_built_total")).split()[-1]))


async def read(port: int) -> int:
    """The number of the snapshot that one more reader is shown; a whole client for each would be the load itself."""
    reading, writing = await asyncio.open_connection("127.0.0.1", port)
    writing.write(b"GET /api/v1/leaderboard HTTP/1.1\r\nHost: arena.test\r\nConnection: close\r\n\r\n")
    head, _, body = (await reading.read()).partition(b"\r\n\r\n")
    writing.close()
    await writing.wait_closed()
    assert head.startswith(b"HTTP/1.1 200 "), head
    return json.loads(body)["snapshot"]["id"]


@pytest.mark.parametrize("size", SIZES)
async def test_a_crowd_has_each_new_snapshot_built_once(size, url, database, process, record_property):
    await publish(database)
    metrics = free_port()
    door = process("serve", "--no-worker", ARENA_DATABASE_URL=url, ARENA_METRICS_PORT=str(metrics))
    await asyncio.to_thread(door.start)
    first = await read(door.port)
    before, seen = await asyncio.to_thread(built, metrics), []
    for _ in range(size.snapshots):
        reads = [asyncio.create_task(read(door.port)) for _ in range(size.readers)]
        await asyncio.wait(reads, return_when=asyncio.FIRST_COMPLETED)
        await database.write(another)
        seen += await asyncio.gather(*reads)
    seen.append(await read(door.port))
    after = await asyncio.to_thread(built, metrics)
    record_property("reads", len(seen))
    record_property("built", after - before)
    assert set(seen) <= set(range(first, first + size.snapshots + 1))
    assert seen[-1] == first + size.snapshots
    assert after - before <= size.snapshots
