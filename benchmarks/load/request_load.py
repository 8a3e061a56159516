"""Driver of many keep-alive connections, each of which sends its next request after the last response.

Its first line of input is `Workload` as JSON; it reports its figures.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice, repeat
from typing import TYPE_CHECKING

import uvloop

from benchmarks.load.http import Connection, as_visitor, request
from benchmarks.results import percentiles

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Workload:
    """One vote on each of `battles`, or else repeated reads of `path`.

    Attributes:
        port: Port of the arena, or of the proxy before it if `proxied`.
        connections: Number of concurrent connections.
        seconds: Duration.
        battles: Voter cookie of each battle to vote on.
        path: Path to read.
        again: Whether reads are conditional (If-None-Match).
        most: Largest number of requests.
        proxied: Whether each connection is a separate visitor through the proxy.
    """

    port: int
    connections: int
    seconds: float
    battles: dict[str, str] = field(default_factory=dict[str, str])
    path: str = ""
    again: bool = False
    most: int = 1_000_000_000
    proxied: bool = False


async def main(work: Workload) -> None:
    """Send requests until the time is over or all are sent, and report."""
    durations: list[float] = []
    statuses: Counter[int] = Counter()
    visitors = [as_visitor(number) if work.proxied else {} for number in range(work.connections)]
    connections = [await Connection.open(work.port, **options) for options in visitors]
    all_requests = _votes(work.battles) if work.battles else _reads(work.path, await _etag(connections[0], work))
    requests = islice(all_requests, work.most)
    start = time.perf_counter()
    end = start + work.seconds

    async def caller(connection: Connection, options: dict[str, object]) -> None:
        for entry in requests:
            start = time.perf_counter()
            if start >= end:
                return
            if connection.closing:
                connection = await Connection.open(work.port, **options)
            statuses[(await connection.ask(entry)).status] += 1
            durations.append(time.perf_counter() - start)

    async with asyncio.TaskGroup() as group:
        for element in zip(connections, visitors, strict=True):
            group.create_task(caller(*element))
    seconds = time.perf_counter() - start
    figures = {
        "per_second": len(durations) / seconds,
        "count": len(durations),
        "statuses": statuses,
        **percentiles(durations),
    }
    print(json.dumps(figures), flush=True)


async def _etag(connection: Connection, work: Workload) -> str:
    return (await connection.ask(request("GET", work.path, Accept_Encoding="gzip"))).etag if work.again else ""


def _votes(battles: dict[str, str]) -> Iterator[bytes]:
    outcomes = ("a", "b", "tie", "both_bad")
    for number, (battle, cookie) in enumerate(battles.items()):
        body = json.dumps({"outcome": outcomes[number % len(outcomes)]}).encode()
        yield request("POST", f"/api/v1/battles/{battle}/vote", body, Cookie=cookie)


def _reads(path: str, etag: str) -> Iterator[bytes]:
    return repeat(request("GET", path, Accept_Encoding="gzip", If_None_Match=etag or "none"))


if __name__ == "__main__":
    uvloop.run(main(Workload(**json.loads(sys.stdin.readline()))))
