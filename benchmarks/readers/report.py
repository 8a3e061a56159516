"""The readers' benchmark: a new board every few seconds, read by all open pages through the proxy."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections import Counter
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import insert, select

from arena.adapters.store import snapshots
from arena.adapters.store.engine import open_database
from arena.adapters.store.migration import migrate
from arena.adapters.store.tables import PartRow, SnapshotRow
from benchmarks import proxy, refit
from benchmarks.load.drivers import driver
from benchmarks.load.service import run, serving, settings
from benchmarks.readers import open_boards
from benchmarks.readers.open_boards import BOARD, Workload

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from benchmarks.load.drivers import Driver
    from benchmarks.load.service import Service
    from benchmarks.proxy import Proxy

SERVED: Final = ("HIT", "STALE", "UPDATING")
"""Answers of the cache for which nobody waited for the arena."""
SETTLE: Final = open_boards.PERIOD + 2.0
"""Seconds after which the last board has been read."""
VOTES: Final = 20_000


@dataclass(frozen=True, slots=True)
class Plan:
    """Open pages, seconds between two boards, boards while they are measured, and pages of the baseline."""

    readers: int = 2_000
    every: float = 10.0
    boards: int = 6
    few: int = 15

    @property
    def minutes(self) -> float:
        """How long each measurement takes."""
        return (self.every * self.boards) / 60


@dataclass(frozen=True, slots=True)
class Row:
    """One figure; `goal` is its bound, from below for a rate of hits."""

    work: str
    value: float
    unit: str
    goal: float | None = None
    note: str = ""

    def record(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return asdict(self)

    def __str__(self) -> str:
        goal = "" if self.goal is None else f"{'≥' if self.unit == '%' else '≤'} {self.goal:g}"
        return f"{self.work:<50} {f'{self.value:,.3f} {self.unit}':>16} {goal:>8}  {self.note}".rstrip()


@dataclass(frozen=True, slots=True)
class Followed:
    """A time in which pages were open.

    Attributes:
        arena: Seconds of the arena's processor.
        proxy: Seconds of the proxy's.
        questions: Questions about the board that reached the arena a second.
        cache: Reads of the board by the answer of the cache.
        found: What the pages received.
    """

    arena: float
    proxy: float
    questions: float
    cache: Counter[str]
    found: dict[str, Any]


def measure(plan: Plan) -> Iterator[Row]:
    """Measure the same minutes with a few open pages and with all, on one process of the arena behind the proxy.

    Raises:
        NotMeasured: nginx is missing, or does not start.
    """
    proxy.program()
    with (
        _published() as (folder, database, env),
        serving(env) as service,
        proxy.proxying(folder / "proxy", [service.port]) as front,
    ):
        few, many = (_followed(plan, service, front, database, pages) for pages in (plan.few, plan.readers))
        yield from rows_of(plan, many)
        yield from cost_rows(plan, few, many)


def _followed(plan: Plan, service: Service, front: Proxy, database: Database, pages: int) -> Followed:
    """Publish all boards while so many pages are open."""
    work = Workload(front.port, pages)
    with driver(open_boards, json.dumps(asdict(work))) as opened:
        before, logged, asked = opened.report(), front.log.stat().st_size, _asked(service)
        spent, relayed, start = service.cost().cpu, front.cpu(), time.monotonic()
        for _ in range(plan.boards):
            asyncio.run(database.write(_publish))
            time.sleep(plan.every)
        spent, relayed = service.cost().cpu - spent, front.cpu() - relayed
        questions = (_asked(service) - asked) / (time.monotonic() - start)
        return Followed(spent, relayed, questions, front.statuses(logged), since(before, _now(opened)))


@contextmanager
def _published() -> Generator[tuple[Path, Database, dict[str, str]]]:
    """The folder of an arena whose board has been published, its database and its environment."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as name:
        folder = Path(name)
        url = f"sqlite:///{folder / 'bench.db'}"
        env = settings(folder, url, 1) | {"ARENA_TRUSTED_HOPS": "1", "ARENA_LOG": "json", "ARENA_RANK_ORDERS": "20"}
        migrate(url)
        with closing(open_database(url)) as database:
            asyncio.run(refit.fill(database, VOTES))
            run("rank", env=env)
            yield folder, database, env


def _publish(session: Session) -> None:
    """Publish the newest board once more, as another one with the same numbers."""
    row = snapshots.newest_with_parts(session)
    assert row is not None  # noqa: S101 - one was published at the start
    copied = _copied(row) | {"created_at": datetime.now(UTC)}
    number = session.execute(insert(SnapshotRow).values(copied).returning(SnapshotRow.id)).scalar_one()
    parts = session.scalars(select(PartRow).where(PartRow.snapshot_id == row.id)).all()
    session.execute(insert(PartRow), [_copied(part) | {"snapshot_id": number} for part in parts])


def _copied(row: SnapshotRow | PartRow) -> dict[str, Any]:
    return {column.name: getattr(row, column.name) for column in row.__table__.columns if column.name != "id"}


def _now(pages: Driver) -> dict[str, Any]:
    time.sleep(SETTLE)
    pages.send("now")
    return pages.report()


def since(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Count what the pages received between two reports."""
    earlier: dict[str, int] = before.pop("statuses")
    later: dict[str, int] = after.pop("statuses")
    statuses = {status: count - earlier.get(status, 0) for status, count in later.items()}
    return {name: after[name] - before[name] for name in after} | {"statuses": statuses}


def _asked(service: Service) -> int:
    """How many questions about the board have reached the arena."""
    lines = service.log.read_text().splitlines()
    return sum(f'"path": "{BOARD}' in line for line in lines)


def rows_of(plan: Plan, many: Followed) -> Iterator[Row]:
    """Figures of the cache, and of what the pages received."""
    cache, found = many.cache, many.found
    whole, share = cache.total(), 1 / plan.readers / plan.minutes
    served = 100 * sum(cache[each] for each in SERVED) / max(1, whole)
    read = f"{whole:,} reads: {', '.join(f'{count:,} {name}' for name, count in cache.most_common())}"
    yield Row("reads served from the cache", served, "%", 99.9, read)
    yield Row("questions that reach the arena a second", many.questions, "a second", 3, "one of each address")
    note = f"{found['moves'] / plan.readers:.1f} new boards each; {found['lost']} connections lost"
    yield Row("polls of a reader a minute", found["poll_bytes"] * share / 1000, "KB", 20, note)
    statuses = ", ".join(f"{count:,} × {status}" for status, count in found["statuses"].items())
    yield Row("tables of a reader a minute", found["table_bytes"] * share / 1000, "KB", None, statuses)
    late = f"{found['early']:,} of {found['moves']:,} were read once more, a second later"
    yield Row("new boards that a page did not get", found["older"], "boards", 0, late)


def cost_rows(plan: Plan, few: Followed, many: Followed) -> Iterator[Row]:
    """Figures of processor time beyond that with a few pages, which read each board and poll in each second."""
    share = 1e6 / max(1, plan.readers - plan.few) / plan.minutes
    note = f"{many.arena:.2f} s for all, {few.arena:.2f} s with {plan.few}"
    yield Row("arena's processor per reader and minute", max(0.0, many.arena - few.arena) * share, "µs", 10, note)
    note = "with TLS and the reads of tables"
    yield Row("proxy's processor per reader and minute", max(0.0, many.proxy - few.proxy) * share, "µs", None, note)
