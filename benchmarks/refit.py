"""Time from one more vote to a published leaderboard: reading new votes, fitting in another process, storing.

The first snapshot is that of a new worker, which has begun as `arena worker` begins: its modules are imported, and it
has no threads yet.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from sqlalchemy import Index

from arena.adapters.store.engine import Database, open_database
from arena.adapters.store.migration import migrate
from arena.adapters.store.tables import EndpointRow, OwnerRow, VoteRow
from arena.domain.labels.categories import Category
from arena.domain.terms import EndpointState, Outcome
from arena.serving.fit_process import forked_fitting_process, warm
from arena.usecases import ranking
from arena.usecases.ranking import CountedLog, Method
from arena.usecases.ranking.vote_columns import head_of
from benchmarks.data import COMPETITORS, synthetic
from benchmarks.jobs import peak_mb

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from concurrent.futures import Executor

    from sqlalchemy import Connection, Table
    from sqlalchemy.orm import Session

START: Final = datetime(2026, 1, 1, tzinfo=UTC)
MOMENT: Final = f"{START:%Y-%m-%d %H:%M:%S.%f}"
"""`START` as SQLite keeps it."""
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


@dataclass(frozen=True, slots=True)
class Refit:
    """Seconds of each step on a log of `votes`; `votes_per_second` is the speed of reading it into columns.

    `quick` and `full` are from one more vote in the log to the stored snapshot, with few and with all orders. `memory`
    is the most that the worker's process has had, in MB, without that of its fitting process.
    """

    votes: int
    read: float
    votes_per_second: float
    first: float
    quick: float
    full: float
    memory: float

    def record(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return asdict(self)


def measure(votes: int) -> Refit:
    """Write synthetic votes to a temporary SQLite file, then do the worker's steps."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'bench.db'}"
        migrate(url)
        read = asyncio.run(_filled(url, votes))
        command = [sys.executable, "-m", "benchmarks.refit", url]
        environment = {"OPENBLAS_NUM_THREADS": "1", **os.environ}
        told = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)  # noqa: S603 - own
        return Refit(votes, read, votes / read, *map(float, told.stdout.split()))


async def _filled(url: str, votes: int) -> float:
    """Write the votes; returns the seconds of reading them."""
    database = open_database(url)
    try:
        await fill(database, votes)
        return await _seconds(database.read(_advance, CountedLog()))
    finally:
        database.close()


def work(url: str) -> tuple[float, float, float, float]:
    """Do the steps of a new worker: `first`, `quick`, `full` and `memory` of a `Refit`."""
    start = time.perf_counter()
    with forked_fitting_process() as executor:
        return *asyncio.run(_work(url, executor, start)), peak_mb()


async def _work(url: str, executor: Executor, start: float) -> tuple[float, float, float]:
    database = open_database(url)
    try:
        warming = asyncio.get_running_loop().run_in_executor(executor, warm)
        before = time.perf_counter() - start
        log = CountedLog()
        first, _ = await _published(database, log, executor)
        await warming
        await database.write(_add, [_row(-1, 0, 1, 0)])
        return before + first, *await _published(database, log, executor)
    finally:
        database.close()


async def fill(database: Database, votes: int) -> None:
    """Add models that nobody can call, and this number of votes between them, to a SQLite database.

    A voter has twenty votes one after the other, and the index of pairs is made at the end: rows that are appended to
    every index are written at the same rate however long the log is.
    """
    await database.write(_competitors)
    await database.write(_on_pairs, Index.drop)
    for rows in _rows(votes):
        await database.write(_add, rows)
    await database.write(_on_pairs, Index.create)


async def _published(database: Database, log: CountedLog, executor: Executor) -> tuple[float, float]:
    """Seconds to the first snapshot and to the last, which are the same if the first one has all orders."""
    start, moments = time.perf_counter(), list[float]()
    while await ranking.publish(database, Method(), log, executor=executor, now=lambda: datetime.now(UTC)):
        moments.append(time.perf_counter() - start)
    return moments[0], moments[-1]


async def _seconds(work: Awaitable[None]) -> float:
    start = time.perf_counter()
    await work
    return time.perf_counter() - start


def _competitors(session: Session) -> None:
    owner = OwnerRow(name="bench", created_at=START)
    session.add_all(
        EndpointRow(
            name=f"competitor-{number}",
            owner=owner,
            dialect="",
            url="",
            wire_model="",
            state=EndpointState.IMPORTED,
            created_at=START,
        )
        for number in range(COMPETITORS)
    )


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


def _add(session: Session, rows: list[tuple[Any, ...]]) -> None:
    # By the driver alone, in a fifth of the time.
    session.connection().exec_driver_sql(INSERT, rows)


def _on_pairs(session: Session, change: Callable[[Index, Connection], None]) -> None:
    for index in cast("Table", VoteRow.__table__).indexes:
        change(index, session.connection())


def _advance(session: Session, log: CountedLog) -> None:
    log.advance(session, head_of(session))


if __name__ == "__main__":
    sys.stdout.write("{} {} {} {}".format(*work(sys.argv[1])))
