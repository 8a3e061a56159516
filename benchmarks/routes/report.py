"""The benchmark of routes: the dearest ones by processor time on the event loop, and the loop's lag."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import unquote

import typer

from benchmarks.load.store import sqlite
from benchmarks.results import Row
from benchmarks.routes.calls import BYTES, Call
from benchmarks.routes.filled_arena import filled
from benchmarks.routes.flood import flood_rows
from benchmarks.routes.loop_cost import Answer, Client, TimedLoop, watched
from benchmarks.routes.visit import Visit

if TYPE_CHECKING:
    from benchmarks.routes.loop_cost import Lag

GOAL_MS: Final = 5.0
TRIES: Final = 3
_SHOWN: Final = 10
_UPLOAD: Final = 10_000_000
_ROWS: Final = {
    "rows of votes": b'{"model_a":"a-7b","model_b":"b-7b","winner":"model_a","question_id":"same"}\n',
    "questions": b'{"id":"same","question":"What is 2 + 2?"}\n',
}
"""Lines of files whose ids are all the same."""


def measure(
    votes: Annotated[int, typer.Option(min=100, help="Votes of the arena.")] = 5_000,
    every: Annotated[bool, typer.Option("--every", help="Print all routes, not the ten dearest.")] = False,
    flood: Annotated[float, typer.Option(min=0, max=60, help="Seconds for which each open route is flooded.")] = 0,
) -> Iterator[Row]:
    """Measure the processor time of every route of the OpenAPI document on the event loop, and the loop's lag."""
    with asyncio.Runner(loop_factory=TimedLoop) as runner:
        yield from runner.run(_measure(votes, every=every))
    if flood:
        yield from dearest_first(flood_rows(votes, flood))


async def _measure(votes: int, *, every: bool) -> list[Row]:
    with sqlite() as (folder, url):
        async with filled(folder, url, votes) as arena, watched() as lag:
            contract = await asyncio.to_thread(arena.app.openapi)
            visit = Visit(Client(arena.app), contract, arena.ids)
            await visit.fill()
            costs = [await _cost(visit, call, lag) for call in visit.calls()]
            rows = dearest(costs, None if every else _SHOWN)
            rows.append(longest_lag(costs))
            return [*rows, *[await _upload_row(visit, path, kind) for path in visit.uploads() for kind in _ROWS]]


async def _cost(visit: Visit, call: Call, lag: Lag) -> tuple[Call, list[Answer]]:
    """Answers to a call, each with the loop's lag meanwhile; what changes nothing is sent several times."""
    answers = list[Answer]()
    for _ in range(TRIES if call.method == "GET" else 1):
        lag.ms = 0.0
        answers.append(await visit.send(call))
        await asyncio.sleep(0)
        answers[-1].lag_ms = lag.ms
    return call, answers


async def _upload_row(visit: Visit, path: str, kind: str) -> Row:
    """The loop's lag while the route reads many bytes of rows, each of which has an id that is there already."""
    row = _ROWS[kind]
    body = row * (_UPLOAD // len(row))
    async with watched() as lag:
        answer = await visit.send(Call("POST", path, f"{path}?name=rows.jsonl", body, BYTES))
    work = f"POST {path}, {_UPLOAD // 1_000_000} MB of {kind}"
    return Row(
        "uploads",
        work,
        lag.ms,
        "ms",
        note=f"lag; {_outcome(answer)}",
        figures={"loop_ms": answer.cpu_ms, "step_ms": answer.step_ms},
    )


def dearest_first(rows: list[Row]) -> list[Row]:
    """Rows by value, the highest first."""
    return sorted(rows, key=lambda row: -row.value)


def dearest(costs: list[tuple[Call, list[Answer]]], count: int | None) -> list[Row]:
    """Rows of the `count` dearest routes, each by its dearest call, and by the least of several answers to it."""
    rows = defaultdict[str, list[Row]](list)
    for call, answers in costs:
        best = min(answer.cpu_ms for answer in answers)
        note = "; ".join(filter(None, (_outcome(answers[-1]), unquote(call.target.partition("?")[2]))))
        figures = {"first_ms": answers[0].cpu_ms, "step_ms": min(answer.step_ms for answer in answers)}
        rows[call.route].append(Row("routes", call.route, best, "ms", f"≤ {GOAL_MS:.0f}", note, figures))
    worst = [max(candidates, key=lambda row: row.value) for candidates in rows.values()]
    return dearest_first(worst)[:count]


def longest_lag(costs: list[tuple[Call, list[Answer]]]) -> Row:
    """The longest lag of the loop, and the call during which it was."""
    call, answer = max(
        ((call, answer) for call, answers in costs for answer in answers), key=lambda pair: pair[1].lag_ms
    )
    note = f"{call.route}; {_outcome(answer)}; {len(costs)} calls"
    return Row("all routes", "longest lag of the loop", answer.lag_ms, "ms", note=note)


def _outcome(answer: Answer) -> str:
    code = ""
    if answer.status >= 400 and answer.body.startswith(b"{"):
        code = f" {json.loads(answer.body).get('code', '')}"
    return f"{answer.status}{code}"
