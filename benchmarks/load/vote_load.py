"""Throughput of durable votes: `cast_vote` on prepared battles."""

from __future__ import annotations

import asyncio
import gc
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from sqlalchemy import event, make_url, text

from arena.adapters.store.engine import Database, on_postgres
from arena.domain.terms import EndpointState, Outcome, Voter
from arena.usecases.votes import votes
from arena.usecases.votes.ballot import Ballot
from benchmarks.load import store
from benchmarks.results import percentiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

START: Final = datetime(2026, 1, 1, tzinfo=UTC)
ENDPOINTS: Final = 20
WARM_UP: Final = 500
"""Unmeasured first votes, which fill the caches of a process."""


def measure(url: str, *, votes: int = 20_000, callers: int = 160, flush: float = 0.0) -> dict[str, float]:
    """Insert `votes` answered battles into the database at `url`, and vote once on each.

    Returns votes per second, percentiles of the milliseconds from the call to the reveal, and `cpu_ms`, the CPU
    milliseconds per vote of this process, callers included.

    `flush` seconds are added to each flush: on SQLite by a sleep before each commit, in the committing thread; on
    PostgreSQL by the database's `commit_delay`, which needs a superuser and a server with `fsync` on.
    """
    return asyncio.run(_measure(url, votes, callers, flush))


async def _measure(url: str, count: int, callers: int, flush: float) -> dict[str, float]:
    if on_postgres(url):
        await _delay_flushes(url, flush)
    with store.opened(url) as database:
        if flush and not on_postgres(url):
            _sleep_before_commits(database, flush)
        battles = await prepare(database, count + WARM_UP)
        await cast_all(database, battles[:WARM_UP], callers)
        gc.freeze()  # As `arena serve` does; otherwise a collection would pause all callers for 0.1 s.
        cpu, start = time.process_time(), time.perf_counter()
        durations = await cast_all(database, battles[WARM_UP:], callers)
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    return percentiles(durations) | {"per_second": count / seconds, "cpu_ms": 1000 * cpu / count}


async def cast_all(database: Database, battles: Sequence[str], callers: int) -> list[float]:
    """Vote once on each of these battles with concurrent callers; returns the seconds of each call."""
    queue, seconds = iter(battles), list[float]()

    async def caller() -> None:
        for battle_id in queue:
            start = time.perf_counter()
            await votes.cast_vote(database, _ballot(battle_id))
            seconds.append(time.perf_counter() - start)

    async with asyncio.TaskGroup() as group:
        for _ in range(callers):
            group.create_task(caller())
    return seconds


def _ballot(battle_id: str) -> Ballot:
    number = int(battle_id)
    outcome = tuple(Outcome)[number % len(Outcome)]
    return Ballot(voter_of(number), battle_id, outcome, f"key of {battle_id}", datetime.now(UTC))


def voter_of(number: int) -> Voter:
    """The voter of the battle with this number."""
    return Voter(f"voter {number:058d}", "192.0.2.0/24")


async def prepare(database: Database, count: int) -> list[str]:
    """Insert endpoints and `count` battles with two answers each; returns the battles' ids."""
    names = [f"model-{number}-7b" for number in range(ENDPOINTS)]
    models = await database.write(store.add_endpoints, names, START, EndpointState.ACTIVE, dialect="demo")
    return await store.add_battles(database, [voter_of(number).key for number in range(count)], models, START)


def _sleep_before_commits(database: Database, flush: float) -> None:
    def sleep(_connection: object) -> None:
        time.sleep(flush)

    event.listen(vars(database)["_writing"], "commit", sleep)


async def _delay_flushes(url: str, flush: float) -> None:
    """Delay flushes of all later connections."""
    with store.opened(url) as database:
        await database.write(_delay, make_url(url).database or "", flush)


def _delay(session: Session, name: str, flush: float) -> None:
    """Set a delay before each flush, even without concurrent commits."""
    for setting, value in (("commit_delay", round(flush * 1_000_000)), ("commit_siblings", 0)):
        session.execute(text(f'ALTER DATABASE "{name}" SET {setting} = {value}'))
