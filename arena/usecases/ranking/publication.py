"""Publication of snapshots: read the log, fit in an executor, store.

The caller's process reads the log and stores the snapshot. The fit is a pure function of columns, so it can run in
another process with the same bits; that process keeps the columns, see `sent_columns`.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final, TypeVar

from sqlalchemy.exc import IntegrityError

from arena.adapters.observability.tracing import span
from arena.adapters.store import endpoints, snapshots
from arena.adapters.store.leases import unguarded
from arena.adapters.store.tables.snapshots import PartRow, SnapshotRow
from arena.domain.labels.label_sets import CAST, LABELS
from arena.domain.terms import JsonObject
from arena.usecases.ranking.fitted_boards import fitted_board
from arena.usecases.ranking.methods import UNLISTED, Method, fit, unlisted_of
from arena.usecases.ranking.public_rows import public_identity
from arena.usecases.ranking.slice_boards import Source, compute_parts
from arena.usecases.ranking.vote_columns import CountedLog, Head, head_of
from arena.usecases.ranking.vote_labels import label_facts, label_head, recorded_labels, with_labels
from arena.usecases.ranking.web_boards import read_web_votes, web_boards

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.leases import Guard
    from arena.domain.labels.label_sets import LabelSource
    from arena.usecases.ranking.fitted_boards import Fit, FittedBoard
    from arena.usecases.ranking.public_rows import PublicIdentity
    from arena.usecases.ranking.sent_columns import SentColumns
    from arena.usecases.ranking.slice_boards import SnapshotPart
    from arena.usecases.ranking.vote_slices import VoteSlices

if TYPE_CHECKING:
    Row = TypeVar("Row")
    Result = TypeVar("Result")

logger = logging.getLogger(__name__)

WHOLE: Final = timedelta(hours=1)
"""Age up to which every snapshot keeps its table; of older ones, only the last of an hour or day do."""
SHORT: Final = 50_000
"""Largest number of votes at which parts follow every snapshot; they take less than a second on two cores."""
REST: Final = timedelta(minutes=1) / SHORT
"""Minimum interval, per vote, between two computations of the parts of a longer log, which delay new snapshots."""


async def publish(
    database: Database,
    method: Method,
    log: CountedLog,
    *,
    executor: Executor,
    now: Callable[[], datetime],
    fit: Fit = fit,
    guard: Guard = unguarded,
    labels: LabelSource = CAST,
) -> int | None:
    """Store a new snapshot if anything has changed; returns its id, or None if nothing has.

    Changes are new votes, exclusions or decisions, another `method`, other unlisted endpoints, new labels of `labels`
    (the source of topics), and another widening of intervals, which is measured with the parts. A long log gets a quick
    snapshot first and the full one at the next call. Parts, such as boards by category, follow a full one when they are
    due, in this call or a later one. `log` is advanced; the fits run in `executor`. `guard` runs in each transaction
    that stores; if it raises, nothing is stored.
    """
    plan = await database.read(_plan, log, method, labels, now())
    if plan is None:
        return None
    number = plan.number
    if plan.is_new:
        with span("fit", votes=len(plan.columns)):
            board = await plan.columns.run(
                executor, fitted_board, fit, plan.method, plan.head, plan.unlisted, plan.identities
            )
        number = await database.write(_store, guard, snapshots.add, _row(board, plan, now()))
    is_full = plan.method.widened(method.parameters.widening) == method
    if is_full and (not plan.is_new or await database.read(_needs_parts, number, len(log.numbers), now())):
        part_method = plan.method.of_parts(len(plan.columns))
        with span("parts", votes=len(plan.columns)):
            parts, topics = await _parts(database, log, plan, part_method, executor)
        rows = [_part(part, number, {**plan.record(part_method), LABELS: topics}) for part in parts]
        try:
            await database.write(_store, guard, snapshots.add_parts, rows)
        except IntegrityError:
            logger.info("the tables of snapshot %d have been published by another process meanwhile", number)
    return number if plan.is_new else None


async def thin(database: Database, now: datetime) -> None:
    """Delete the tables of old snapshots; the metadata stay, and so does the last table of each hour or day."""
    await database.write(snapshots.drop_tables, now - WHOLE)


def code_version() -> str:
    """The version of this package, recorded in each snapshot."""
    try:
        return version("battle-arena")
    except PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """Input and method of a computation: of a new snapshot if `is_new`, else of the parts of snapshot `number`."""

    number: int
    is_new: bool
    head: Head
    method: Method
    unlisted_ids: frozenset[int]
    columns: SentColumns
    identities: dict[str, PublicIdentity]
    unlisted: list[str]
    labels: JsonObject | None

    def record(self, method: Method) -> JsonObject:
        """The parameters of a method as a snapshot stores them."""
        return {**method.record()["parameters"], UNLISTED: self.unlisted}


def _plan(session: Session, log: CountedLog, method: Method, labels: LabelSource, now: datetime) -> _Plan | None:
    head = head_of(session)
    if head.vote == 0:
        return None
    if head != log.head:
        log.advance(session, head)
    unlisted = {number: name for number, name in endpoints.unlisted(session).items() if number in log.all_seen}
    names = sorted(unlisted.values())
    newest = snapshots.last(session)
    widening = log.widening or (newest.parameters.get("widening") if newest else None)
    method = method.widened(widening or 1.0)
    quick, last = method.quick(len(log.numbers)), None if newest is None else _method_of(newest)
    last_input = newest and (
        Head(newest.last_vote, newest.last_exclusion, newest.last_decision),
        unlisted_of(newest.parameters),
    )
    topics = label_head(session, labels)
    is_new = (
        last != method.record()
        or last_input != (head, names)
        or _has_new_labels(session, topics, len(log.numbers), now)
    )
    if newest and not is_new and not _needs_parts(session, newest.id, len(log.numbers), now):
        return None
    result = endpoints.by_id(session, log.seen.difference(unlisted))
    return _Plan(
        number=newest.id if newest else 0,
        is_new=is_new,
        head=head,
        # After a quick snapshot the full one is next, even if votes keep coming.
        method=method if last == quick.record() or not is_new else quick,
        unlisted_ids=frozenset(unlisted),
        columns=log.sent_columns({number: row.name for number, row in result.items()}, unlisted),
        identities={row.name: public_identity(row) for row in result.values()},
        unlisted=names,
        labels=topics,
    )


def _has_new_labels(session: Session, topics: JsonObject | None, votes: int, now: datetime) -> bool:
    """Whether there are labels that the newest parts lack, and these are old enough to be replaced."""
    newest = snapshots.newest_with_parts(session)
    if newest is None or recorded_labels(snapshots.parts_of(session, newest.id)[0].parameters) == topics:
        return False
    return votes <= SHORT or now - newest.created_at >= votes * REST


def _store(session: Session, guard: Guard, store: Callable[[Session, Row], Result], row: Row) -> Result:
    guard(session)
    return store(session, row)


def _method_of(row: SnapshotRow) -> JsonObject:
    """The recorded method of a snapshot."""
    parameters = {name: value for name, value in row.parameters.items() if name != UNLISTED}
    return {"parameters": parameters, "seed": row.seed}


def _needs_parts(session: Session, number: int, votes: int, now: datetime) -> bool:
    """Whether the newest snapshot, `number`, lacks parts and should get them now."""
    earlier = snapshots.newest_with_parts(session)
    if earlier is None or votes <= SHORT:
        return earlier is None or earlier.id < number
    return earlier.id < number and now - earlier.created_at >= votes * REST


async def _parts(
    database: Database, log: CountedLog, plan: _Plan, method: Method, executor: Executor
) -> tuple[list[SnapshotPart], dict[str, object]]:
    """The parts, and the facts about their labels for their parameters."""
    slices = await database.read(_slices, log, plan)
    source = Source(method, plan.head, plan.unlisted, plan.identities, plan.labels)
    parts = await plan.columns.run(executor, compute_parts, slices, source)
    log.widening = parts.widening
    web, identities = await database.read(read_web_votes, log, plan.unlisted)
    run = asyncio.get_running_loop().run_in_executor
    pages = await run(executor, web_boards, web, replace(source, identities=identities)) if len(web) else []
    for reason in parts.failed:
        logger.warning("the newest snapshot has no %s", reason)
    return [*parts.tables, *pages], label_facts(plan.labels, slices)


def _slices(session: Session, log: CountedLog, plan: _Plan) -> VoteSlices:
    log.slices.advance(session, plan.head.vote)
    numbers = log.without(plan.unlisted_ids).numbers
    return with_labels(session, log.labels, log.slices.of(numbers), numbers, plan.labels)


def _row(board: FittedBoard, plan: _Plan, now: datetime) -> SnapshotRow:
    return SnapshotRow(
        method=board.method,
        parameters=plan.record(plan.method),
        seed=plan.method.seed,
        code_version=code_version(),
        last_vote=plan.head.vote,
        last_exclusion=plan.head.exclusion,
        last_decision=plan.head.decision,
        votes=board.votes,
        digest=board.digest,
        payload=board.payload,
        created_at=now,
    )


def _part(part: SnapshotPart, number: int, parameters: dict[str, object]) -> PartRow:
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
