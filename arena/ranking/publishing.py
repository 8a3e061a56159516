"""Publishing: read, fit elsewhere, store.

Reading the log and storing the snapshot happen in the caller's process; the fit in between is a pure function of
plain columns, so it can run in another process and gives the same bits there.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import timedelta
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final, TypeVar

from arena.ranking.logs import CountedLog, Head, head_of
from arena.ranking.methods import UNLISTED, Method, digest, fit, unlisted_of
from arena.ranking.parts import Source, compute_parts
from arena.ranking.showing import face, standings
from arena.spans import span
from arena.store import endpoints, snapshots
from arena.store.tables import PartRow, SnapshotRow

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.ranking.facets import Facets
    from arena.ranking.parts import Part
    from arena.ranking.showing import Face
    from arena.rating import Comparisons, Leaderboard
    from arena.store.engine import Database

if TYPE_CHECKING:
    Fit = Callable[[Comparisons, Method], Leaderboard]
    Guard = Callable[[Session], None]
    Row = TypeVar("Row")
    Kept = TypeVar("Kept")

logger = logging.getLogger(__name__)

WHOLE: Final = timedelta(hours=1)
"""How long every snapshot keeps its table; later only the last one of a day does. Each can be computed again."""
SHORT: Final = 50_000
"""Votes of a log whose parts are computed with every snapshot: in less than a second on two cores."""
REST: Final = timedelta(minutes=1) / SHORT
"""Rest for each vote of a longer log between two computations of its parts, which keep new votes waiting."""


def unguarded(_session: Session) -> None:
    """Nobody else publishes."""


async def publish(
    database: Database,
    method: Method,
    log: CountedLog,
    *,
    executor: Executor,
    now: Callable[[], datetime],
    fit: Fit = fit,
    guard: Guard = unguarded,
) -> int | None:
    """Store a new snapshot if there is something new to say; returns its number.

    New are votes, exclusions, another `method`, or who is listed. A long log gets a quick snapshot first and the full
    one at the next call. The parts, such as the boards of categories and languages, follow a full one when they are
    due, in this call or a later one. `log` is advanced; the fits run in `executor`. `guard` runs in each transaction
    that stores, and what it raises keeps anything from being stored.
    """
    plan = await database.read(_plan, log, method, now())
    if plan is None:
        return None
    number = plan.number
    if plan.new:
        with span("fit", votes=len(plan.comparisons)):
            board = await asyncio.get_running_loop().run_in_executor(executor, fit, plan.comparisons, plan.method)
        number = await database.write(_guarded, guard, snapshots.add, _row(board, plan, now()))
    if plan.method == method and (not plan.new or await database.read(_due, number, len(log.numbers), now())):
        quick = method.quick(len(plan.comparisons))
        with span("parts", votes=len(plan.comparisons)):
            made = await _parts(database, log, plan, quick, executor)
        rows = [_part(part, number, plan.told(quick)) for part in made]
        await database.write(_guarded, guard, snapshots.add_parts, rows)
    return number if plan.new else None


async def thin(database: Database, now: datetime) -> None:
    """Drop the tables of old snapshots; what they say of themselves stays, and so does the last table of each day."""
    await database.write(snapshots.drop_tables, now - WHOLE)


def code_version() -> str:
    """The version of this package, for the record of a snapshot."""
    try:
        return version("battle-arena")
    except PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """What to compute from, and how; `number` is the newest snapshot, out of date if there is something `new`."""

    number: int
    new: bool
    head: Head
    method: Method
    counted: CountedLog
    comparisons: Comparisons
    faces: dict[str, Face]
    unlisted: list[str]

    def told(self, method: Method) -> dict[str, Any]:
        """The parameters as a snapshot names them."""
        return {**method.record()["parameters"], UNLISTED: self.unlisted}


def _plan(session: Session, log: CountedLog, method: Method, now: datetime) -> _Plan | None:
    head = head_of(session)
    if head.vote == 0:
        return None
    if head != log.head:
        log.advance(session, head)
    unlisted = {number: name for number, name in endpoints.unlisted(session).items() if number in log.seen}
    left_out = sorted(unlisted.values())
    newest = snapshots.last(session)
    quick, used = method.quick(len(log.numbers)), None if newest is None else _used(newest)
    known = newest and (Head(newest.last_vote, newest.last_exclusion), unlisted_of(newest.parameters))
    new = used != method.record() or known != (head, left_out)
    if newest and not new and not _due(session, newest.id, len(log.numbers), now):
        return None
    counted = log.without(unlisted)
    found = endpoints.by_id(session, counted.seen)
    return _Plan(
        number=newest.id if newest else 0,
        new=new,
        head=head,
        # Votes that keep coming must not keep the full one waiting for ever.
        method=method if used == quick.record() or not new else quick,
        counted=counted,
        comparisons=counted.comparisons({number: row.name for number, row in found.items()}),
        faces={row.name: face(row) for row in found.values()},
        unlisted=left_out,
    )


def _guarded(session: Session, guard: Guard, store: Callable[[Session, Row], Kept], row: Row) -> Kept:
    guard(session)
    return store(session, row)


def _used(row: SnapshotRow) -> dict[str, Any]:
    """The record of the method that a snapshot was made by."""
    parameters = {name: value for name, value in row.parameters.items() if name != UNLISTED}
    return {"parameters": parameters, "seed": row.seed}


def _due(session: Session, number: int, votes: int, now: datetime) -> bool:
    """Whether a snapshot without parts is to get them now."""
    earlier = snapshots.newest_with_parts(session)
    if earlier is None or votes <= SHORT:
        return earlier is None or earlier.id < number
    return earlier.id < number and now - earlier.created_at >= votes * REST


async def _parts(database: Database, log: CountedLog, plan: _Plan, method: Method, executor: Executor) -> list[Part]:
    facets = await database.read(_facets, log, plan)
    source = Source(method, plan.head, plan.unlisted, plan.faces)
    run = asyncio.get_running_loop().run_in_executor
    parts = await run(executor, compute_parts, plan.comparisons, facets, source)
    for reason in parts.failed:
        logger.warning("the newest snapshot has no %s", reason)
    return parts.made


def _facets(session: Session, log: CountedLog, plan: _Plan) -> Facets:
    log.facets.advance(session, plan.head.vote)
    return log.facets.of(plan.counted.numbers)


def _row(board: Leaderboard, plan: _Plan, now: datetime) -> SnapshotRow:
    return SnapshotRow(
        method=board.method,
        parameters=plan.told(plan.method),
        seed=plan.method.seed,
        code_version=code_version(),
        last_vote=plan.head.vote,
        last_exclusion=plan.head.exclusion,
        votes=board.votes,
        digest=digest(board, plan.head, plan.unlisted),
        payload=standings(board, plan.faces).model_dump_json(),
        created_at=now,
    )


def _part(part: Part, number: int, parameters: dict[str, Any]) -> PartRow:
    return PartRow(
        snapshot_id=number,
        kind=part.kind,
        category=part.category,
        language=part.language,
        parameters=parameters,
        votes=part.votes,
        digest=part.digest,
        payload=part.payload,
    )
