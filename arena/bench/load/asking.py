"""The process of the callers: many kept connections, each sending its next request once the last is answered.

Run with one JSON object of `Wish`; prints its figures as a line.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

import uvloop

from arena.bench.load.http import Connection, request
from arena.bench.load.percentiles import percentiles

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked: votes on `battles` (battle → cookie), each once, or else the same `path` again and again.

    Attributes:
        port: Of the arena.
        connections: How many ask at once.
        seconds: For how long.
        battles: What to vote on.
        path: What to read.
        again: Whether the reader says which version it has.
        most: How often at most.
    """

    port: int
    connections: int
    seconds: float
    battles: dict[str, str] = field(default_factory=dict[str, str])
    path: str = ""
    again: bool = False
    most: int = 1_000_000_000


async def main(wish: Wish) -> None:
    """Ask until the time is over or there is nothing left to ask, and tell."""
    took: list[float] = []
    statuses: Counter[int] = Counter()
    connections = [await Connection.open(wish.port) for _ in range(wish.connections)]
    every = _votes(wish.battles) if wish.battles else _reads(wish.path, await _etag(connections[0], wish))
    wanted = islice(every, wish.most)
    start = time.perf_counter()
    end = start + wish.seconds

    async def caller(connection: Connection) -> None:
        for each in wanted:
            before = time.perf_counter()
            if before >= end:
                return
            statuses[(await connection.ask(each)).status] += 1
            took.append(time.perf_counter() - before)

    async with asyncio.TaskGroup() as group:
        for connection in connections:
            group.create_task(caller(connection))
    seconds = time.perf_counter() - start
    figures = {"per_second": len(took) / seconds, "count": len(took), "statuses": statuses, **percentiles(took)}
    print(json.dumps(figures), flush=True)  # noqa: T201 - the pipe to the benchmark


async def _etag(connection: Connection, wish: Wish) -> str:
    return (await connection.ask(request("GET", wish.path, Accept_Encoding="gzip"))).etag if wish.again else ""


def _votes(battles: dict[str, str]) -> Iterator[bytes]:
    outcomes = ("a", "b", "tie", "both_bad")
    for number, (battle, cookie) in enumerate(battles.items()):
        body = json.dumps({"outcome": outcomes[number % len(outcomes)]}).encode()
        yield request("POST", f"/api/v1/battles/{battle}/vote", body, Cookie=cookie)


def _reads(path: str, etag: str) -> Iterator[bytes]:
    wanted = request("GET", path, Accept_Encoding="gzip", If_None_Match=etag or "none")
    while True:
        yield wanted


if __name__ == "__main__":
    uvloop.run(main(Wish(**json.loads(sys.stdin.readline()))))
