"""How many votes a second are cast, each on disk before its names are told: the real act on battles made beforehand."""

from __future__ import annotations

import asyncio
import gc
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import event, make_url, text

from arena import votes
from arena.bench.load import ready
from arena.store.engine import Database, on_postgres, open_database
from arena.store.migrate import migrate
from arena.store.tables import EndpointRow, OwnerRow
from arena.terms import EndpointState, Outcome, Voter
from arena.votes import Ballot

if TYPE_CHECKING:
    from collections.abc import Generator

    from sqlalchemy.orm import Session

START: Final = datetime(2026, 1, 1, tzinfo=UTC)
ENDPOINTS: Final = 20
WARM_UP: Final = 500
"""Votes before those that count: the first ones of a process compile what all later ones find."""


@dataclass(frozen=True, slots=True)
class Casting:
    """What came out, the client included.

    Attributes:
        database: `sqlite` or `postgresql`.
        votes: How many were cast.
        callers: How many were being cast at any time.
        flush: Seconds added to each flush.
        per_second: Votes a second.
        p50: Seconds from the call to the reveal, for half of them.
        p99: The same for 99 of a hundred.
        cpu: Seconds of this process's CPU for one vote; a server's own come on top.
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
        """As data."""
        return asdict(self)


def measure(url: str, *, votes: int = 20_000, callers: int = 160, flush: float = 0.0) -> Casting:
    """Migrate the database at `url`, put `votes` battles with two answers into it, and vote on each of them once.

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
        await _cast_all(database, battles[:WARM_UP], callers)
        gc.freeze()  # As `arena serve` does, or a search for garbage would stop everybody for a tenth of a second.
        cpu, start = time.process_time(), time.perf_counter()
        took = sorted(await _cast_all(database, battles[WARM_UP:], callers))
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


async def _cast_all(database: Database, battles: list[str], callers: int) -> list[float]:
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
    """Who holds the battle of this number."""
    return Voter(f"voter {number:058d}", "192.0.2.0/24")


async def prepare(database: Database, count: int) -> list[str]:
    """Add endpoints and `count` battles with two answers each; returns the battles' ids."""
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
    """For every connection from now on."""
    with _opened(url, 0) as database:
        await database.write(_delay, make_url(url).database or "", flush)


def _delay(session: Session, name: str, flush: float) -> None:
    """Wait before each flush, also where nobody else commits."""
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
