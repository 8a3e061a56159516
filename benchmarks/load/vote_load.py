"""Throughput of durable votes: `cast_vote` on battles inserted beforehand."""

from __future__ import annotations

import asyncio
import gc
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import event, make_url, text

from arena.adapters.store.engine import Database, on_postgres, open_database
from arena.adapters.store.migration import migrate
from arena.adapters.store.tables import EndpointRow, OwnerRow
from arena.domain.terms import EndpointState, Outcome, Voter
from arena.usecases import votes
from arena.usecases.votes import Ballot
from benchmarks.load import ready

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from sqlalchemy.orm import Session

START: Final = datetime(2026, 1, 1, tzinfo=UTC)
ENDPOINTS: Final = 20
WARM_UP: Final = 500
"""Votes that are not measured: the first ones of a process fill its caches."""


@dataclass(frozen=True, slots=True)
class Casting:
    """Result of one run.

    Attributes:
        database: `sqlite` or `postgresql`.
        votes: Number of votes cast.
        callers: Number of concurrent callers.
        flush: Seconds added to each flush.
        per_second: Votes per second.
        p50: Median seconds from the call to the reveal.
        p99: 99th percentile of the same.
        cpu: CPU seconds of this process per vote, callers included; a database server's own come on top.
    """

    database: str
    votes: int
    callers: int
    flush: float
    per_second: float
    p50: float
    p99: float
    cpu: float

    def record(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return asdict(self)


def measure(url: str, *, votes: int = 20_000, callers: int = 160, flush: float = 0.0) -> Casting:
    """Migrate the database at `url`, insert `votes` answered battles, and vote once on each.

    `flush` seconds are added to each flush: on SQLite by sleeping before each commit, in the thread that commits; on
    PostgreSQL by `commit_delay` of the whole database, which takes a superuser and a server with `fsync` on.
    """
    migrate(url)
    return asyncio.run(_measure(url, votes, callers, flush))


async def _measure(url: str, count: int, callers: int, flush: float) -> Casting:
    if on_postgres(url):
        await _delay_flushes(url, flush)
    with _opened(url, flush) as database:
        battles = await prepare(database, count + WARM_UP)
        await cast_all(database, battles[:WARM_UP], callers)
        gc.freeze()  # As `arena serve` does; otherwise a collection would pause all callers for 0.1 s.
        cpu, start = time.process_time(), time.perf_counter()
        took = sorted(await cast_all(database, battles[WARM_UP:], callers))
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    return Casting(
        database="postgresql" if on_postgres(url) else "sqlite",
        votes=count,
        callers=callers,
        flush=flush,
        per_second=count / seconds,
        p50=took[count // 2],
        p99=took[count * 99 // 100],
        cpu=cpu / count,
    )


async def cast_all(database: Database, battles: Sequence[str], callers: int) -> list[float]:
    """Vote once on each of these battles, by so many callers at once; returns the seconds of each call."""
    left, took = iter(battles), list[float]()

    async def caller() -> None:
        for battle_id in left:
            start = time.perf_counter()
            await votes.cast_vote(database, _ballot(battle_id))
            took.append(time.perf_counter() - start)

    async with asyncio.TaskGroup() as group:
        for _ in range(callers):
            group.create_task(caller())
    return took


def _ballot(battle_id: str) -> Ballot:
    number = int(battle_id)
    outcome = tuple(Outcome)[number % len(Outcome)]
    return Ballot(voter_of(number), battle_id, outcome, f"key of {battle_id}", datetime.now(UTC))


def voter_of(number: int) -> Voter:
    """Return the voter of the battle with this number."""
    return Voter(f"voter {number:058d}", "192.0.2.0/24")


async def prepare(database: Database, count: int) -> list[str]:
    """Insert endpoints and `count` battles with two answers each; returns the battles' ids."""
    models = await database.write(_endpoints)
    return await ready.add(database, [voter_of(number).key for number in range(count)], models, START)


@contextmanager
def _opened(url: str, flush: float) -> Generator[Database]:
    database = open_database(url)
    try:
        if flush and not on_postgres(url):
            _sleep_before_commits(database, flush)
        yield database
    finally:
        database.close()


def _sleep_before_commits(database: Database, flush: float) -> None:
    def sleep(_connection: object) -> None:
        time.sleep(flush)

    event.listen(vars(database)["_writing"], "commit", sleep)


async def _delay_flushes(url: str, flush: float) -> None:
    """Delay flushes of every connection from now on."""
    with _opened(url, 0) as database:
        await database.write(_delay, make_url(url).database or "", flush)


def _delay(session: Session, name: str, flush: float) -> None:
    """Set a delay before each flush, also without concurrent commits."""
    for setting, value in (("commit_delay", round(flush * 1_000_000)), ("commit_siblings", 0)):
        session.execute(text(f'ALTER DATABASE "{name}" SET {setting} = {value}'))


def _endpoints(session: Session) -> list[int]:
    rows = [
        EndpointRow(
            name=f"model-{number}-7b",
            owner=OwnerRow(name=f"Laboratory {number}", created_at=START),
            dialect="demo",
            url="",
            wire_model="",
            state=EndpointState.ACTIVE,
            licence="Apache-2.0",
            created_at=START,
        )
        for number in range(ENDPOINTS)
    ]
    session.add_all(rows)
    session.flush()
    return [row.id for row in rows]
