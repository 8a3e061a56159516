"""A flood of each open route by somebody without a key, while an honest visitor reads and votes.

The arena is `arena serve` in a process of its own, as behind one proxy, with its own limits on addresses.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections import Counter
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Final, Self

import httpx2

from benchmarks.load.service import serving
from benchmarks.load.store import sqlite
from benchmarks.results import Row, percentiles
from benchmarks.routes.bodies import BASE
from benchmarks.routes.calls import Call
from benchmarks.routes.filled_arena import environment, fill, ids, provider
from benchmarks.routes.loop_cost import Answer
from benchmarks.routes.visit import Visit

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Coroutine, Mapping
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

RATE: Final = 60
"""Requests of the flood a second."""
MOST_OPEN: Final = 200
"""Most requests of the flood that are open at a time."""
GOAL_MS: Final = 300
PATIENCE: Final = 60.0
ATTACKER: Final = "198.51.100.7"
VISITOR: Final = "203.0.113.5"
_READS: Final = (f"{BASE}/leaderboard", f"{BASE}/status", "/healthz")


class HttpClient:
    """Calls an arena at a port of this machine, from an address that its proxy would have seen."""

    def __init__(self, port: int, address: str) -> None:
        self._client = httpx2.AsyncClient(
            base_url=f"http://127.0.0.1:{port}",
            headers={"X-Forwarded-For": address},
            limits=httpx2.Limits(max_connections=None),
            timeout=PATIENCE,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._client.aclose()

    async def send(self, call: Call, headers: Mapping[str, str]) -> Answer:
        """Send a call and wait for its whole answer."""
        head = {**headers, "content-type": call.content_type} if call.content_type else headers
        ask = partial(self._client.request, call.method, call.target, content=call.body, headers=head)
        try:
            answer = await ask()
        except httpx2.RemoteProtocolError:
            # The server has closed a connection that was at rest; browsers ask again.
            if call.method != "GET":
                raise
            answer = await ask()
        return Answer(answer.status_code, dict(answer.headers), answer.content)

    async def read(self, path: str) -> Answer:
        """Read a path."""
        return await self.send(Call("GET", path, path), {})


def flood_rows(votes: int, seconds: float) -> list[Row]:
    """A row of each open route, flooded for so many seconds, and one of the visitor without a flood."""
    with sqlite() as (folder, url):
        return asyncio.run(_flood_rows(folder, url, votes, seconds))


async def _flood_rows(folder: Path, url: str, votes: int, seconds: float) -> list[Row]:
    link = await fill(folder, url, votes)
    async with AsyncExitStack() as stack:
        issuer = await stack.enter_async_context(provider())
        env = {**os.environ, **environment(folder, url, issuer), "ARENA_TRUSTED_HOPS": "1"}
        service = await asyncio.to_thread(stack.enter_context, serving(env))
        visitor = await stack.enter_async_context(HttpClient(service.port, VISITOR))
        contract = json.loads((await visitor.read(f"{BASE}/openapi.json")).body)
        visit = Visit(visitor, contract, ids(link))
        await visit.fill()
        flooded = [None, *visit.open_calls()]
        battles = await asyncio.gather(*(visit.battle(f"What is flood {number}?") for number in range(len(flooded))))
        rows = list[Row]()
        for call, battle in zip(flooded, battles, strict=True):
            async with HttpClient(service.port, ATTACKER) as attacker:
                flood = _flood(attacker, call) if call else _no_flood()
                route = call.route if call else "no flood"
                rows.append(await _row(route, flood, visitor, visit.vote(battle), seconds))
        return rows


async def _row(
    route: str,
    flood: AbstractAsyncContextManager[Counter[int]],
    visitor: HttpClient,
    vote: Coroutine[None, None, None],
    seconds: float,
) -> Row:
    """The visitor's p99 of reads and one vote during a flood, with the flood's answers by status."""
    durations, end = list[float](), time.perf_counter() + seconds
    async with flood as answers:
        durations.append(await _duration(vote))
        while time.perf_counter() < end:
            durations += [await _duration(visitor.read(path)) for path in _READS]
            await asyncio.sleep(0.02)
    note = ", ".join(f"{count} × {status or 'none'}" for status, count in answers.most_common())
    figures = percentiles(durations)
    return Row("flooded", route, figures.pop("p99"), "ms", f"≤ {GOAL_MS}", note, figures=figures)


@asynccontextmanager
async def _no_flood() -> AsyncGenerator[Counter[int]]:
    yield Counter()


@asynccontextmanager
async def _flood(attacker: HttpClient, call: Call) -> AsyncGenerator[Counter[int]]:
    """Send `RATE` requests a second during the block; counts the answers by status, 0 for one that never came."""
    answers, open_requests = Counter[int](), set[asyncio.Task[None]]()

    async def send() -> None:
        try:
            answers[(await attacker.send(call, {})).status] += 1
        except (httpx2.TransportError, asyncio.CancelledError):
            answers[0] += 1

    async def flood() -> None:
        while True:
            if len(open_requests) < MOST_OPEN:
                task = asyncio.create_task(send())
                open_requests.add(task)
                task.add_done_callback(open_requests.discard)
            await asyncio.sleep(1 / RATE)

    flooding = asyncio.create_task(flood())
    try:
        yield answers
    finally:
        tasks = [flooding, *open_requests]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _duration(work: Coroutine[None, None, object]) -> float:
    start = time.perf_counter()
    await work
    return time.perf_counter() - start
