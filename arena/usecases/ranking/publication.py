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
from arena.adapters.store import endpoints, snapshots, votes
from arena.adapters.store.leases import unguarded
from arena.adapters.store.tables.snapshots import PartRow, SnapshotRow
from arena.domain.labels.label_sets import CAST, LABELS
from arena.domain.merged_hosts import HOSTS, recorded_hosts
from arena.domain.terms import JsonObject
from arena.usecases.ranking.fitted_boards import fitted_board
from arena.usecases.ranking.heads import Head
from arena.usecases.ranking.host_groups import host_groups
from arena.usecases.ranking.methods import UNLISTED, Method, fit, unlisted_of
from arena.usecases.ranking.part_computation import computed_parts
from arena.usecases.ranking.public_rows import public_identity
from arena.usecases.ranking.slice_boards import Source, web_boards
from arena.usecases.ranking.vote_columns import CountedLog, head_of
from arena.usecases.ranking.vote_labels import label_facts, label_head, recorded_labels, with_labels
from arena.usecases.ranking.web_votes import read_web_votes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.leases import Guard
    from arena.domain.labels.label_sets import LabelSource
    from arena.usecases.ranking.fitted_boards import Fit, FittedBoard
    from arena.usecases.ranking.sent_columns import SentColumns
    from arena.usecases.ranking.slice_boards import SnapshotPart
    from arena.usecases.ranking.vote_slices import StoredSlices

if TYPE_CHECKING:
    Row = TypeVar("Row")
    Result = TypeVar("Result")

logger = logging.getLogger(__name__)

FULL_TABLES_AGE: Final = timedelta(hours=1)
"""Age up to which every snapshot keeps its table; of older ones, only the last of an hour or day do."""
MAX_VOTES_WITH_PARTS: Final = 50_000
"""Largest number of votes at which parts follow every snapshot; they take less than a second on two cores."""
PARTS_INTERVAL_PER_VOTE: Final = timedelta(minutes=1) / MAX_VOTES_WITH_PARTS
"""Minimum interval, per vote, between two computations of the parts of a longer log, which delay new snapshots."""
PLAYS_PER_MINUTE: Final = 1_000_000_000
"""Votes × orders of full snapshots in a minute; between two of a long log there are quick ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Publication:
    """Boards of one log, and the means to compute and to store them.

    Attributes:
        log: The votes read so far, which a publication advances.
        executor: Runs the fits.
        fit: Function that may distribute a fit beyond `executor`.
        labels: Source of the topics.
        guard: Runs in the transaction that stores; if it raises, nothing is stored.
        full_at: Time of the last full snapshot; None lets the next one follow a quick one at once.
    """

    database: Database
    method: Method
    log: CountedLog
    executor: Executor
    now: Callable[[], datetime]
    fit: Fit = fit
    labels: LabelSource = CAST
    guard: Guard = unguarded
    full_at: datetime | None = None

    def rests(self, plays: int) -> bool:
        """Whether it is too early for another full snapshot, of so many votes × orders."""
        pause = timedelta(minutes=plays / PLAYS_PER_MINUTE)
        # The lower bound is for a clock that was set back.
        return self.full_at is not None and timedelta(0) <= self.now() - self.full_at < pause


async def publish_whole(publication: Publication) -> None:
    """Publish the log as it is now: a quick snapshot, if there is one first, is followed by the full one."""
    last = await publication.database.read(votes.last_number)
    board = await publish_board(publication, last)
    while board and not board.is_full:
        board = await publish_board(publication, last)
    await publish_parts(publication)


@dataclass(frozen=True, slots=True)
class Published:
    """The number of a stored snapshot, and whether it is full; the full one follows a quick one with fewer orders."""

    number: int
    is_full: bool


async def publish_board(publication: Publication, last: int | None = None) -> Published | None:
    """Store a new snapshot if anything has changed.

    Changes are new votes, exclusions or decisions, another method, other unlisted endpoints, new labels, other hosts of
    one model, and another widening of intervals, which is measured with the parts. Votes after number `last` wait for a
    later call. A long log gets a quick snapshot first and the full one at the next call, or if that comes early, at
    the first one after its rest; until then each change has a quick one.
    """
    database = publication.database
    async with publication.log.lock:
        plan = await database.read(_plan, publication, last)
    if plan is None:
        return None
    source = plan.source
    inputs = source.method, source.head, list(source.unlisted), plan.identities
    with span("fit", votes=len(plan.columns)):
        board = await plan.columns.run(publication.executor, fitted_board, publication.fit, *inputs)
    row = _row(board, plan.due, publication.now())
    number = await database.write(_store, publication.guard, snapshots.add, row)
    return Published(number, plan.due.is_full)


async def publish_parts(publication: Publication) -> int | None:
    """Store the parts of the newest snapshot, such as boards by category, if it is full and they are due.

    Returns its number, or None. The log has to be where the snapshot was computed, so that a call between two snapshots
    finds it; where it has advanced since, the parts follow the next full snapshot. They are computed one by one, so
    that another fit waits for one of them at most.
    """
    database = publication.database
    async with publication.log.lock:
        plan = await database.read(_plan_of_parts, publication)
    if plan is None:
        return None
    due, part_method = plan.due, plan.due.method.of_parts(len(plan.columns))
    with span("parts", votes=len(plan.columns)):
        parts, topics = await _parts(publication, plan, part_method)
    hosts = {HOSTS: due.hosts} if due.hosts else {}
    parameters: dict[str, object] = {**due.record(part_method), LABELS: topics, **hosts}
    try:
        await database.write(_store, publication.guard, _add_parts, (parts, due.number, parameters))
    except IntegrityError:
        logger.info("the tables of snapshot %d have been published by another process meanwhile", due.number)
    return due.number


def oldest_wait(session: Session) -> datetime | None:
    """The time of the oldest vote that the newest leaderboard lacks; None if it has all."""
    newest = snapshots.last(session)
    return votes.oldest_after(session, newest.last_vote if newest else 0)


async def thin(database: Database, now: datetime) -> int:
    """Delete the tables of old snapshots; the metadata stay, and so does the last table of each hour or day.

    Returns the number of deleted tables.
    """
    numbers = await database.read(snapshots.superfluous, now - FULL_TABLES_AGE)
    return await database.write(snapshots.drop_tables, numbers) if numbers else 0


def code_version() -> str:
    """The version of this package, recorded in each snapshot."""
    try:
        return version("battle-arena")
    except PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True, slots=True, eq=False)
class _Due:
    """Work due at the head of the log: a snapshot if `is_new`, which is full or quick, or else the newest one's parts.

    `number` is the newest snapshot, `labels` the source of topics and its last label, `hosts` has the groups of hosts
    of one model.
    """

    number: int
    is_new: bool
    is_full: bool
    head: Head
    method: Method
    unlisted: dict[int, str]
    labels: JsonObject | None
    hosts: list[list[str]]

    def record(self, method: Method) -> JsonObject:
        """The parameters of a method as a snapshot stores them."""
        return {**method.record()["parameters"], UNLISTED: sorted(self.unlisted.values())}


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """The input of a computation: what is `due`, the log as it was then, its columns, and the competitors."""

    due: _Due
    log: CountedLog
    columns: SentColumns
    identities: dict[str, JsonObject]

    @property
    def source(self) -> Source:
        """Method, position and competitors for the digests."""
        due = self.due
        return Source(due.method, due.head, sorted(due.unlisted.values()), self.identities, due.labels, due.hosts)


def _plan(session: Session, publication: Publication, last: int | None) -> _Plan | None:
    """The plan of a new snapshot, None if nothing has changed; the log is advanced."""
    head, log = head_of(session, last), publication.log
    if head.vote == 0:
        return None
    if head != log.head:
        log.advance(session, head)
    due = _due(session, publication)
    return _with_columns(session, log, due) if due.is_new else None


def _plan_of_parts(session: Session, publication: Publication) -> _Plan | None:
    """The plan of the parts that are due; None if there are none, or the log is not where the newest snapshot is."""
    log = publication.log
    due = _due(session, publication) if log.head.vote else None
    if due is None or due.is_new or not due.is_full:
        return None
    is_due = _needs_parts(session, due.number, len(log.numbers), publication.now())
    return _with_columns(session, log, due) if is_due else None


def _due(session: Session, publication: Publication) -> _Due:
    log = publication.log
    unlisted = {number: name for number, name in endpoints.unlisted(session).items() if number in log.all_seen}
    newest, topics = snapshots.last(session), label_head(session, publication.labels)
    hosts = host_groups(session, log.seen.difference(unlisted))
    widening = log.widening or (newest.parameters.get("widening") if newest else None)
    full = publication.method.widened(widening or 1.0)
    quick, last = full.quick(len(log.numbers)), None if newest is None else _method_of(newest)
    last_input = newest and (
        Head(newest.last_vote, newest.last_exclusion, newest.last_decision),
        unlisted_of(newest.parameters),
    )
    has_changed = last_input != (log.head, sorted(unlisted.values())) or _has_new_inputs(
        session, newest, (topics, hosts), len(log.numbers), publication.now()
    )
    is_quick = last == quick.record()
    # After a quick snapshot the full one is next, even if votes keep coming.
    rests = is_quick and publication.rests(len(log.numbers) * full.parameters.elo.orders)
    is_new = has_changed or (last != full.record() and not rests)
    chosen = quick if rests or (is_new and not is_quick) else full
    return _Due(newest.id if newest else 0, is_new, chosen == full, log.head, chosen, unlisted, topics, hosts)


def _with_columns(session: Session, log: CountedLog, due: _Due) -> _Plan:
    rows = endpoints.by_id(session, log.seen.difference(due.unlisted))
    columns = log.sent_columns({number: row.name for number, row in rows.items()}, due.unlisted)
    return _Plan(due, log.copy(), columns, {row.name: public_identity(row) for row in rows.values()})


def _has_new_inputs(
    session: Session,
    newest: SnapshotRow | None,
    inputs: tuple[JsonObject | None, list[list[str]]],
    votes: int,
    now: datetime,
) -> bool:
    """Whether the newest snapshot's parts are of other labels or hosts (`inputs`), and old enough to be replaced."""
    with_parts = snapshots.newest_with_parts(session)
    # Parts that are still to come take all labels that there are by then.
    if newest is None or with_parts is None or with_parts.id < newest.id:
        return False
    parameters = snapshots.parts_of(session, newest.id)[0].parameters
    if (recorded_labels(parameters), recorded_hosts(parameters)) == inputs:
        return False
    return votes <= MAX_VOTES_WITH_PARTS or now - newest.created_at >= votes * PARTS_INTERVAL_PER_VOTE


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
    if earlier is None or votes <= MAX_VOTES_WITH_PARTS:
        return earlier is None or earlier.id < number
    return earlier.id < number and now - earlier.created_at >= votes * PARTS_INTERVAL_PER_VOTE


async def _parts(publication: Publication, plan: _Plan, method: Method) -> tuple[list[SnapshotPart], dict[str, object]]:
    """The parts, and the facts about their labels for their parameters."""
    database, executor = publication.database, publication.executor
    slices, facts = await database.read(_slices, plan)
    source = replace(plan.source, method=method)
    parts = await computed_parts(plan.columns, slices, source, executor)
    publication.log.widening = parts.widening
    web, identities = await database.read(read_web_votes, plan.log, source.unlisted)
    run = asyncio.get_running_loop().run_in_executor
    pages = await run(executor, web_boards, web, replace(source, identities=identities)) if len(web) else []
    for reason in parts.failed:
        logger.warning("the newest snapshot has no %s", reason)
    return [*parts.tables, *pages], facts


def _slices(session: Session, plan: _Plan) -> tuple[StoredSlices, dict[str, object]]:
    """The slices of the votes, and the facts about their labels."""
    log, due = plan.log, plan.due
    log.slices.advance(session, due.head.vote)
    numbers = log.without(due.unlisted).numbers
    slices = with_labels(session, log.labels, log.slices.of(numbers), numbers, due.labels)
    return slices, label_facts(due.labels, slices)


def _row(board: FittedBoard, due: _Due, now: datetime) -> SnapshotRow:
    return SnapshotRow(
        method=board.method,
        parameters=due.record(due.method),
        seed=due.method.seed,
        code_version=code_version(),
        last_vote=due.head.vote,
        last_exclusion=due.head.exclusion,
        last_decision=due.head.decision,
        votes=board.votes,
        digest=board.digest,
        payload=board.payload,
        created_at=now,
    )


def _add_parts(session: Session, rows: tuple[Sequence[SnapshotPart], int, dict[str, object]]) -> None:
    parts, number, parameters = rows
    snapshots.add_parts(session, (_part(part, number, parameters) for part in parts))


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
