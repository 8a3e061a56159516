"""The readers' benchmark: a new board every few seconds, read by all open pages through the proxy."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from sqlalchemy import insert, select

from arena.adapters.store import snapshots
from arena.adapters.store.tables.snapshots import PartRow, SnapshotRow
from benchmarks import proxy, refit
from benchmarks.load.service import run, serving, settings
from benchmarks.load.store import opened, sqlite
from benchmarks.processes import driver
from benchmarks.readers import open_boards
from benchmarks.readers.open_boards import BOARD, Workload
from benchmarks.results import Row

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from benchmarks.load.service import Service
    from benchmarks.processes import Driver
    from benchmarks.proxy import Proxy

SERVED: Final = ("HIT", "STALE", "UPDATING")
"""Cache statuses without a wait for the arena."""
SETTLE: Final = open_boards.PERIOD + 2.0
"""Seconds after which the last board has been read."""
VOTES: Final = 20_000
BASELINE_PAGES: Final = 15
"""Open pages of the baseline."""
CASE: Final = "through nginx"


@dataclass(frozen=True, slots=True)
class Followed:
    """Figures of a period with open pages.

    Attributes:
        arena: CPU seconds of the arena.
        proxy: CPU seconds of the proxy.
        questions: Requests for the board per second that reached the arena.
        cache: Number of reads of the board by cache status.
        pages: Totals of the pages, as in `open_boards.Received`.
    """

    arena: float
    proxy: float
    questions: float
    cache: Counter[str]
    pages: dict[str, Any]


def measure(
    readers: Annotated[int, typer.Option(min=1, max=8_000, help="Open pages of the board.")] = 2_000,
    every: Annotated[float, typer.Option(min=0.5, help="Seconds between two boards.")] = 10.0,
    boards: Annotated[int, typer.Option(min=1, help="Boards while the pages are open.")] = 6,
) -> Iterator[Row]:
    """Read the board with many open pages through nginx, and measure what is left of them for the arena."""
    proxy.program()
    with (
        _publish_arena() as (place, database, env),
        serving(env) as service,
        proxy.serve_proxy(place / "proxy", [service.port]) as front,
    ):
        small, large = (_follow(every, boards, service, front, database, pages) for pages in (BASELINE_PAGES, readers))
        minutes = every * boards / 60
        yield from rows_of(readers, minutes, large)
        yield from cost_rows(readers, minutes, small, large)


def _follow(every: float, boards: int, service: Service, front: Proxy, database: Database, pages: int) -> Followed:
    """Publish all boards while `pages` pages are open."""
    work = Workload(front.port, pages)
    with driver(open_boards, json.dumps(asdict(work))) as readers:
        first_report, log_size, requests = readers.report(), front.log.stat().st_size, _request_count(service)
        cpu, proxy_cpu, start = service.cost().cpu, front.cpu(), time.monotonic()
        for _ in range(boards):
            asyncio.run(database.write(_publish))
            time.sleep(every)
        cpu, proxy_cpu = service.cost().cpu - cpu, front.cpu() - proxy_cpu
        questions = (_request_count(service) - requests) / (time.monotonic() - start)
        return Followed(cpu, proxy_cpu, questions, front.statuses(log_size), since(first_report, _now(readers)))


@contextmanager
def _publish_arena() -> Generator[tuple[Path, Database, dict[str, str]]]:
    """Folder, database and environment of an arena with a published board."""
    with sqlite() as (place, url), opened(url) as database:
        env = settings(place, url, 1) | {"ARENA_TRUSTED_HOPS": "1", "ARENA_LOG": "json", "ARENA_RANK_ORDERS": "20"}
        asyncio.run(refit.fill(database, VOTES))
        run("rank", env=env)
        yield place, database, env


def _publish(session: Session) -> None:
    """Publish a copy of the newest board as a new one."""
    row = snapshots.newest_with_parts(session)
    assert row is not None  # noqa: S101 - one was published at the start
    fields = _copy(row) | {"created_at": datetime.now(UTC)}
    number = session.execute(insert(SnapshotRow).values(fields).returning(SnapshotRow.id)).scalar_one()
    parts = session.scalars(select(PartRow).where(PartRow.snapshot_id == row.id)).all()
    session.execute(insert(PartRow), [_copy(part) | {"snapshot_id": number} for part in parts])


def _copy(row: SnapshotRow | PartRow) -> dict[str, object]:
    return {column.name: getattr(row, column.name) for column in row.__table__.columns if column.name != "id"}


def _now(pages: Driver) -> dict[str, Any]:
    time.sleep(SETTLE)
    pages.send("now")
    return pages.report()


def since(start: dict[str, Any], end: dict[str, Any]) -> dict[str, Any]:
    """Differences of the totals of two reports."""
    start_statuses: dict[str, int] = start.pop("statuses")
    end_statuses: dict[str, int] = end.pop("statuses")
    statuses = {status: count - start_statuses.get(status, 0) for status, count in end_statuses.items()}
    return {name: end[name] - start[name] for name in end} | {"statuses": statuses}


def _request_count(service: Service) -> int:
    """Number of requests for the board that have reached the arena."""
    lines = service.log.read_text().splitlines()
    return sum(f'"path": "{BOARD}' in line for line in lines)


def rows_of(readers: int, minutes: float, large: Followed) -> Iterator[Row]:
    """Rows of the cache and of the bytes that pages received."""
    cache, result = large.cache, large.pages
    total, share = cache.total(), 1 / readers / minutes
    share_served = 100 * sum(cache[state] for state in SERVED) / max(1, total)
    read_note = f"{total:,} reads: {', '.join(f'{count:,} {name}' for name, count in cache.most_common())}"
    yield Row(CASE, "reads served from the cache", share_served, "%", "≥ 99.9", read_note)
    yield Row(CASE, "questions that reach the arena", large.questions, "a second", "≤ 3", "one of each address")
    note = f"{result['moves'] / readers:.1f} new boards each; {result['lost']} connections lost"
    yield Row(CASE, "polls of a reader a minute", result["poll_bytes"] * share / 1000, "KB", "≤ 20", note)
    statuses = ", ".join(f"{count:,} × {status}" for status, count in result["statuses"].items())
    yield Row(CASE, "tables of a reader a minute", result["table_bytes"] * share / 1000, "KB", "", statuses)
    late_note = f"{result['early']:,} of {result['moves']:,} were read once more, a second later"
    yield Row(CASE, "new boards that a page did not get", result["older"], "boards", "≤ 0", late_note)


def cost_rows(readers: int, minutes: float, small: Followed, large: Followed) -> Iterator[Row]:
    """Rows of CPU time beyond that of a few pages, which poll in each second and read each board."""
    share = 1e6 / max(1, readers - BASELINE_PAGES) / minutes
    arena, front = share * max(0.0, large.arena - small.arena), share * max(0.0, large.proxy - small.proxy)
    note = f"{large.arena:.2f} s for all, {small.arena:.2f} s with {BASELINE_PAGES}"
    yield Row(CASE, "arena's processor per reader and minute", arena, "µs", "≤ 10", note)
    yield Row(CASE, "proxy's processor per reader and minute", front, "µs", "", "with TLS and the reads of tables")
