"""Cost of each loop's pass with nothing new and of each route's request, in an arena with a long past.

Processor time is that of all threads of the process; statements are those that are sent to the database.
"""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import AsyncGenerator, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import timedelta
from typing import Annotated, Final, NamedTuple

import httpx2
import typer
from sqlalchemy import Engine, event

from arena.adapters.store.engine import open_database
from benchmarks.load.store import sqlite
from benchmarks.old.rows import END, Size, fill
from benchmarks.old.work import STREAMED, Work, works
from benchmarks.results import Row

GOALS: Final = {"loop": 50.0, "route": 20.0, "operator": 300.0}
"""Largest processor time in milliseconds of a pass with nothing new, and of a request."""
GROWTH: Final = 1.5
"""Largest ratio to the cost at a tenth of the size."""
MIN_MILLISECONDS: Final = 2.0
"""Milliseconds below which a ratio says nothing."""
TRIES: Final = 3
_SIZE: Final = Size()
"""The size without options."""


class Cost(NamedTuple):
    """Processor time, number of statements, and growth of the peak memory."""

    milliseconds: float
    statements: int
    megabytes: float
    failed: bool = False


WorkCost = tuple[tuple[str, str], Cost]
"""Kind and name of a work, and its cost."""


def measure(
    endpoints: Annotated[int, typer.Option(min=20, help="Number of endpoints.")] = _SIZE.endpoints,
    owners: Annotated[int, typer.Option(min=10, help="Number of owners, each with a webhook.")] = _SIZE.owners,
    battles: Annotated[int, typer.Option(min=1_000, help="Number of battles, each with a vote.")] = _SIZE.battles,
    days: Annotated[float, typer.Option(min=0.1, help="Days of snapshots, one each ten seconds.")] = _SIZE.days,
    changes: Annotated[int, typer.Option(min=200, help="Number of changes of endpoints.")] = _SIZE.changes,
    compare: Annotated[bool, typer.Option(help="Measure a tenth of the size too, and print the ratio.")] = True,
) -> Iterator[Row]:
    """Cost of a pass of each loop and of a request to each route, on a temporary SQLite file."""
    size = Size(endpoints, owners, battles, days, changes)
    small = dict(costs_of(size.scaled(0.1))) if compare else {}
    for work, cost in costs_of(size):
        yield _row(work, cost, small.get(work))


def _row(work: tuple[str, str], cost: Cost, small: Cost | None) -> Row:
    kind, name = work
    figures = {"statements": float(cost.statements), "peak_mb": cost.megabytes}
    if small:
        figures["ratio"] = max(cost.milliseconds, MIN_MILLISECONDS) / max(small.milliseconds, MIN_MILLISECONDS)
        figures["statements_at_a_tenth"] = float(small.statements)
    goal = "" if name in STREAMED else f"≤ {GOALS[kind]:g}"
    note = "failed" if cost.failed else STREAMED.get(name, "")
    return Row(kind, name, cost.milliseconds, "ms", goal, note, figures)


def costs_of(size: Size) -> Iterator[WorkCost]:
    """Each work in an arena of this size with its cost, as soon as that is measured."""
    with sqlite() as (_, url), asyncio.Runner() as runner:
        costs = _costs(url, size)
        while (cost := runner.run(_next(costs))) is not None:
            yield cost


async def _costs(url: str, size: Size) -> AsyncGenerator[WorkCost]:
    with closing(open_database(url)) as database, ThreadPoolExecutor(1) as executor:
        await database.write(fill, size)
        async with works(database, executor, END + timedelta(hours=1)) as all_work:
            for work in [*all_work, *all_work]:  # whatever was due is done in the first two passes
                if work.kind == "loop":
                    await work.run()
            for work in all_work:
                yield (work.kind, work.name), await _cost(work)


async def _next(costs: AsyncGenerator[WorkCost]) -> WorkCost | None:
    return await anext(costs, None)


async def _cost(work: Work) -> Cost:
    """The least cost of some tries, after one that fills caches."""
    costs = [await _once(work) for _ in range(1 + TRIES)]
    return min(costs[1:])._replace(megabytes=max(cost.megabytes for cost in costs))


async def _once(work: Work) -> Cost:
    memory, start = _peak(), time.process_time()
    with counted() as statements:
        answer = await work.run()
    milliseconds = (time.process_time() - start) * 1_000
    failed = isinstance(answer, httpx2.Response) and answer.is_server_error
    return Cost(milliseconds, len(statements), _peak() - memory, failed)


@contextmanager
def counted() -> Generator[list[str]]:
    """The statements that are sent to databases during the block."""
    statements: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
