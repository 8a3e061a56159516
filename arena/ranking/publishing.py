"""Publishing: read, fit elsewhere, store.

Reading the log and storing the snapshot happen in the caller's process; the fit in between is a pure function of
plain columns, so it can run in another process and gives the same bits there.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import asdict, dataclass
from datetime import timedelta
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final, TypeVar

from arena.ranking.logs import CountedLog, Head, head_of
from arena.ranking.methods import UNLISTED, Method, digest, fit, unlisted_of
from arena.ranking.parts import BOARD, compute_parts
from arena.store import endpoints, snapshots
from arena.store.tables import PartRow, SnapshotRow
from arena.wire import LeaderboardRow, PairRow, Standings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.ranking.facets import Facets
    from arena.ranking.parts import Part
    from arena.rating import Comparisons, Leaderboard, Rating
    from arena.store.engine import Database
    from arena.store.tables import EndpointRow

if TYPE_CHECKING:
    Fit = Callable[[Comparisons, Method], Leaderboard]
    Guard = Callable[[Session], None]
    Row = TypeVar("Row")
    Kept = TypeVar("Kept")

logger = logging.getLogger(__name__)

WHOLE: Final = timedelta(hours=1)
"""How long every snapshot keeps its table; later only the last one of a day does. Each can be computed again."""


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
    one at the next call; the boards of categories and languages follow a full one. `log` is advanced; the fits run in
    `executor`. `guard` runs in each transaction that stores, and what it raises keeps anything from being stored.
    """
    plan = await database.read(_plan, log, method)
    if plan is None:
        return None
    run = asyncio.get_running_loop().run_in_executor
    board = await run(executor, fit, plan.comparisons, plan.method)
    number = await database.write(_guarded, guard, snapshots.add, _row(board, plan, now()))
    if plan.method == method:
        facets = await database.read(_facets, log, plan)
        quick = method.quick(len(plan.comparisons))
        parts = await run(executor, compute_parts, plan.comparisons, facets, quick)
        for reason in parts.failed:
            logger.warning("snapshot %d has no %s", number, reason)
        rows = [_part(part, number, plan, quick) for part in parts.made]
        await database.write(_guarded, guard, snapshots.add_parts, rows)
    return number


async def thin(database: Database, now: datetime) -> None:
    """Drop the tables of old snapshots; what they say of themselves stays, and so does the last table of each day."""
    await database.write(snapshots.drop_tables, now - WHOLE)


def standings(board: Leaderboard, faces: Mapping[str, EndpointRow]) -> Standings:
    """The numbers with the public face of each competitor; one without a face keeps its name alone."""
    return Standings(
        rows=[_line(rating, faces.get(rating.name)) for rating in board.rows],
        pairs=[PairRow.model_validate(pair, from_attributes=True) for pair in board.pairs],
    )


def code_version() -> str:
    """The version of this package, for the record of a snapshot."""
    try:
        return version("battle-arena")
    except PackageNotFoundError:
        return "unknown"


def _line(rating: Rating, face: EndpointRow | None) -> LeaderboardRow:
    known: dict[str, Any] = {"owner": ""}
    if face is not None:
        known = {name: getattr(face, name) for name in ("licence", "link", "demo", "open_weights", "billions")}
        known["owner"] = face.owner.name
    return LeaderboardRow(**asdict(rating), **known)


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """What to compute a snapshot from, and how."""

    head: Head
    method: Method
    counted: CountedLog
    comparisons: Comparisons
    faces: dict[str, EndpointRow]
    unlisted: list[str]


def _plan(session: Session, log: CountedLog, method: Method) -> _Plan | None:
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
    if used == method.record() and known == (head, left_out):
        return None
    counted = log.without(unlisted)
    found = endpoints.by_id(session, counted.seen)
    names = {number: row.name for number, row in found.items()}
    return _Plan(
        head=head,
        # Votes that keep coming must not keep the full one waiting for ever.
        method=method if used == quick.record() else quick,
        counted=counted,
        comparisons=counted.comparisons(names),
        faces={row.name: row for row in found.values()},
        unlisted=left_out,
    )


def _guarded(session: Session, guard: Guard, store: Callable[[Session, Row], Kept], row: Row) -> Kept:
    guard(session)
    return store(session, row)


def _used(row: SnapshotRow) -> dict[str, Any]:
    """The record of the method that a snapshot was made by."""
    parameters = {name: value for name, value in row.parameters.items() if name != UNLISTED}
    return {"parameters": parameters, "seed": row.seed}


def _facets(session: Session, log: CountedLog, plan: _Plan) -> Facets:
    log.facets.advance(session, plan.head.vote)
    return log.facets.of(plan.counted.numbers)


def _row(board: Leaderboard, plan: _Plan, now: datetime) -> SnapshotRow:
    return SnapshotRow(
        method=board.method,
        parameters={**plan.method.record()["parameters"], UNLISTED: plan.unlisted},
        seed=plan.method.seed,
        code_version=code_version(),
        last_vote=plan.head.vote,
        last_exclusion=plan.head.exclusion,
        votes=board.votes,
        digest=digest(board, plan.head, plan.unlisted),
        payload=standings(board, plan.faces).model_dump_json(),
        created_at=now,
    )


def _part(part: Part, number: int, plan: _Plan, method: Method) -> PartRow:
    table: Any = part.table
    shown = standings(table, plan.faces) if part.kind == BOARD else table
    return PartRow(
        snapshot_id=number,
        kind=part.kind,
        category=part.category,
        language=part.language,
        parameters={**method.record()["parameters"], UNLISTED: plan.unlisted},
        votes=part.votes,
        digest=part.digest(method, plan.head, plan.unlisted),
        payload=shown.model_dump_json(),
    )
