"""Time from one more vote to a published leaderboard: reading new votes, fitting in another process, storing.

The first snapshot is that of a new worker in the state of `arena worker` at its start: modules imported, no threads.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer
from sqlalchemy import Index

from arena.adapters.store.engine import Database
from arena.adapters.store.tables.conversations import VoteRow
from arena.domain.labels.categories import Category
from arena.domain.terms import Outcome
from arena.serving.fit_process import forked_fitting_process, warm
from arena.usecases.ranking.methods import Method
from arena.usecases.ranking.publication import Publication, publish_board, publish_parts
from arena.usecases.ranking.vote_columns import CountedLog, head_of
from benchmarks.data import COMPETITORS, synthetic
from benchmarks.load.store import add_endpoints, opened, sqlite
from benchmarks.processes import driver, peak_mb
from benchmarks.results import Row

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from sqlalchemy import Connection, Table
    from sqlalchemy.orm import Session

START: Final = datetime(2026, 1, 1, tzinfo=UTC)
MOMENT: Final = f"{START:%Y-%m-%d %H:%M:%S.%f}"
"""`START` in SQLite's format."""
PIECE: Final = 50_000
VOTES_OF_VOTER: Final = 20
OUTCOMES: Final = tuple(outcome.value for outcome in Outcome)
LANGUAGES: Final = ("zh", "en", "zh", "other")
CATEGORIES: Final = (*(category.value for category in Category), None)
COLUMNS: Final = (
    *("id", "outcome", "voter_key", "endpoint_a_id", "endpoint_b_id"),
    *("language", "category", "style", "created_at"),
)
INSERT: Final = f"INSERT INTO votes ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608 - constants

INSERT_LEAVES: Final = (
    "INSERT INTO log_leaves (kind, data, vote_number, listed) SELECT 'vote', '', number, 1 FROM votes"
    " WHERE number > (SELECT coalesce(max(vote_number), 0) FROM log_leaves) ORDER BY number"
)
"""Leaves without content, since a vote without a leaf does not count."""


def measure(
    votes: Annotated[int, typer.Option(min=1_000, help="Size of the log.")] = 1_000_000,
) -> Iterator[Row]:
    """Time from one more vote to a published leaderboard, on a temporary SQLite file."""
    read_seconds, first, quick, full_seconds, memory = steps(votes)
    case = f"{votes:,} votes"
    yield Row(case, "votes read into columns", read_seconds, "s", figures={"votes_per_second": votes / read_seconds})
    yield Row(case, "first snapshot of a new worker", first, "s")
    yield Row(case, "snapshot after one more vote", quick, "s")
    yield Row(case, "the same with all orders", full_seconds, "s")
    yield Row(case, "memory of the worker, its fitting process apart", memory, "MB")


def steps(votes: int) -> tuple[float, ...]:
    """Seconds to read votes, to a first snapshot, to one after one more vote with few and with all orders; and MB."""
    with sqlite() as (_, url):
        read_seconds = asyncio.run(_fill(url, votes))
        with driver(sys.modules[__name__], url, env={"OPENBLAS_NUM_THREADS": "1", **os.environ}) as worker:
            return read_seconds, *worker.report()


async def _fill(url: str, votes: int) -> float:
    """Write votes; returns the seconds to read them."""
    with opened(url) as database:
        await fill(database, votes)
        start = time.perf_counter()
        await database.read(_advance, CountedLog())
        return time.perf_counter() - start


def work(url: str) -> tuple[float, float, float, float]:
    """Run the steps of a new worker; returns the seconds of its snapshots, and its peak memory in MB."""
    start = time.perf_counter()
    with forked_fitting_process() as executor:
        return *asyncio.run(_work(url, executor, start)), peak_mb()


async def _work(url: str, executor: Executor, start: float) -> tuple[float, float, float]:
    with opened(url) as database:
        task = asyncio.get_running_loop().run_in_executor(executor, warm)
        import_seconds = time.perf_counter() - start
        log = CountedLog()
        first, _ = await _publish(database, log, executor)
        await task
        await database.write(_add, [_row(-1, 0, 1, 0)])
        return import_seconds + first, *await _publish(database, log, executor)


async def fill(database: Database, votes: int) -> None:
    """Add models without endpoints, and `votes` votes between them, to a SQLite database.

    A voter has twenty consecutive votes, and the index of pairs is created at the end, so that the rate of writing does
    not depend on the length of the log.
    """
    await database.write(add_endpoints, [f"competitor-{number}" for number in range(COMPETITORS)], START)
    await database.write(_on_pairs, Index.drop)
    for rows in _rows(votes):
        await database.write(_add, rows)
    await database.write(_on_pairs, Index.create)


async def _publish(database: Database, log: CountedLog, executor: Executor) -> tuple[float, float]:
    """Seconds to the first and to the last snapshot, which are equal if the first one has all orders."""
    start, moments = time.perf_counter(), list[float]()
    publication = Publication(database, Method(), log, executor, lambda: datetime.now(UTC))
    while await publish_board(publication):
        await publish_parts(publication)
        moments.append(time.perf_counter() - start)
    return moments[0], moments[-1]


def _rows(votes: int) -> Iterator[list[tuple[Any, ...]]]:
    data = synthetic(votes)
    for start in range(0, votes, PIECE):
        piece = slice(start, start + PIECE)
        columns = zip(data.left[piece].tolist(), data.right[piece].tolist(), data.outcome[piece].tolist(), strict=True)
        yield [_row(start + place, *column) for place, column in enumerate(columns)]


def _row(number: int, left: int, right: int, outcome: int) -> tuple[Any, ...]:
    first = f"{200 + number % 97}, {number % 3}, {number % 5}, {number % 4}"
    return (
        f"bench-{number:012d}",
        OUTCOMES[outcome],
        f"{number // VOTES_OF_VOTER:064d}",
        left + 1,
        right + 1,
        LANGUAGES[number % len(LANGUAGES)],
        CATEGORIES[number * 7 % len(CATEGORIES)],
        f"[{first}, {300 + number % 89}, {number % 2}, {number % 7}, 0]",
        MOMENT,
    )


def _add(session: Session, rows: list[tuple[object, ...]]) -> None:
    # By the driver directly, in a fifth of the time.
    session.connection().exec_driver_sql(INSERT, rows)
    session.connection().exec_driver_sql(INSERT_LEAVES)


def _on_pairs(session: Session, change: Callable[[Index, Connection], None]) -> None:
    for index in cast("Table", VoteRow.__table__).indexes:
        change(index, session.connection())


def _advance(session: Session, log: CountedLog) -> None:
    log.advance(session, head_of(session))


if __name__ == "__main__":
    print(json.dumps(work(sys.argv[1])), flush=True)
