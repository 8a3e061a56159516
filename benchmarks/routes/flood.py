"""A flood of one route by somebody without cookie or key, while an honest visitor reads and votes."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from benchmarks.results import Row, percentiles
from benchmarks.routes.calls import Call
from benchmarks.routes.loop_cost import Client

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from fastapi import FastAPI

RATE: Final = 60
"""Requests of the flood a second."""
MOST_OPEN: Final = 200
"""Most requests of the flood that are open at a time."""
GOAL_MS: Final = 300
ATTACKER: Final = "198.51.100.7"
_READS: Final = ("/api/v1/leaderboard", "/api/v1/status", "/healthz")


async def flooded(app: FastAPI, call: Call, seconds: float, vote: Callable[[], Coroutine[None, None, None]]) -> Row:
    """The row of a route that is flooded for so many seconds: the visitor's p99, with one vote among the reads."""
    attacker, visitor = Client(app, ATTACKER), Client(app)
    open_requests: set[asyncio.Task[object]] = set()
    flood = asyncio.create_task(_flood(attacker, call, open_requests))
    durations, end = list[float](), time.perf_counter() + seconds
    durations.append(await _duration(vote()))
    while time.perf_counter() < end:
        durations += [await _duration(visitor.send(Call("GET", path, path), {})) for path in _READS]
        await asyncio.sleep(0.02)
    await _end([flood, *open_requests])
    figures = percentiles(durations)
    return Row("flooded", call.route, figures.pop("p99"), "ms", f"≤ {GOAL_MS}", figures=figures)


async def _flood(attacker: Client, call: Call, open_requests: set[asyncio.Task[object]]) -> None:
    while True:
        if len(open_requests) < MOST_OPEN:
            task: asyncio.Task[object] = asyncio.create_task(attacker.send(call, {}))
            open_requests.add(task)
            task.add_done_callback(open_requests.discard)
        await asyncio.sleep(1 / RATE)


async def _duration(work: Coroutine[None, None, object]) -> float:
    start = time.perf_counter()
    await work
    return time.perf_counter() - start


async def _end(tasks: Iterable[asyncio.Task[object]]) -> None:
    tasks = list(tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
