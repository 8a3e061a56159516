"""Driver of many concurrent annotators, each of whom reads an item, judges it and requests the next.

Its first line of input is `Workload` as JSON; it reports its figures.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random

import uvloop

from benchmarks.load.http import Connection, request
from benchmarks.results import percentiles

_SAID = b'{"said": {"outcome": "a"}, "milliseconds": 5000}'


@dataclass(frozen=True, slots=True)
class Workload:
    """One annotator per link, for `seconds`, with a mean of `pause` seconds per item."""

    port: int
    links: list[str]
    seconds: float
    pause: float


@dataclass(slots=True)
class _Times:
    """Seconds of requests for an item and of storing a judgement, and numbers of statuses."""

    item: list[float] = field(default_factory=list[float])
    stored: list[float] = field(default_factory=list[float])
    statuses: Counter[int] = field(default_factory=Counter[int])

    async def ask(self, connection: Connection, content: bytes, durations: list[float]) -> bytes:
        """Send a request, record its duration and status, and return the body of the response."""
        start = time.perf_counter()
        answer = await connection.ask(content)
        durations.append(time.perf_counter() - start)
        self.statuses[answer.status] += 1
        return answer.body


async def main(work: Workload) -> None:
    """Annotate until the time is over, and report."""
    times, end = _Times(), time.perf_counter() + work.seconds
    async with asyncio.TaskGroup() as group:
        for link in work.links:
            group.create_task(_annotate(work, link, end, times))
    figures = {"items": len(times.stored), "item": percentiles(times.item), "kept": percentiles(times.stored)}
    print(json.dumps(figures | {"statuses": times.statuses}), flush=True)


async def _annotate(work: Workload, link: str, end: float, times: _Times) -> None:
    rng = Random(link)
    path = f"/api/v1/annotate/{link}/items"
    while True:
        await asyncio.sleep(work.pause * 2 * rng.random())
        if time.perf_counter() >= end:
            return
        # A new connection, since the server closes idle ones before an annotator has read an item.
        connection = await Connection.open(work.port)
        items = json.loads(await times.ask(connection, request("POST", path), times.item))["items"]
        if not items:
            return
        await times.ask(connection, request("PUT", f"{path}/{items[0]['number']}", _SAID), times.stored)
        connection.close()


if __name__ == "__main__":
    uvloop.run(main(Workload(**json.loads(sys.stdin.readline()))))
