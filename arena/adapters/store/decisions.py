"""Queries about decisions of the vote gate, which are append-only, about its runs, and about objections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import func, select
from sqlalchemy.orm import defer

from arena.adapters.store import log_leaves
from arena.adapters.store.engine.sessions import settled
from arena.adapters.store.tables.integrity import DecisionRow, GateRunRow, ObjectionRow
from arena_trust.integrity.weights_in_force import GATE
from arena_trust.tlog.leaves import LeafKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from sqlalchemy.orm import Session

    from arena_trust.integrity.weights_in_force import WeightsInForce


PIECE: Final = 5_000
"""Most votes in one leaf, which may have 65,535 bytes."""


def last(session: Session) -> int:
    """Number up to which the decisions are settled."""
    return settled(session, DecisionRow.number)


def apply(session: Session, weights: WeightsInForce, last: int) -> None:
    """Apply to `weights` the decisions up to `last` that it lacks."""
    for row in after(session, weights.last, last):
        weights.apply(row.number, row.quarters, row.reason, row.votes, row.by)


def after(session: Session, number: int, last: int | None = None, limit: int | None = None) -> Iterator[DecisionRow]:
    """Decisions numbered above `number`, in order."""
    query = select(DecisionRow).where(DecisionRow.number > number).order_by(DecisionRow.number).limit(limit)
    if last is not None:
        query = query.where(DecisionRow.number <= last)
    yield from session.scalars(query.execution_options(yield_per=100))


def by_number(session: Session, number: int) -> DecisionRow | None:
    """One decision."""
    return session.get(DecisionRow, number)


def add(session: Session, rows: Sequence[DecisionRow]) -> None:
    """Append decisions, each with a leaf per `PIECE` votes."""
    session.add_all(rows)
    session.flush()
    for row in rows:
        author = GATE if row.by == GATE else "operator"
        facts = {"quarters": row.quarters, "reason": row.reason, "method": row.method, "by": author}
        for start in range(0, max(len(row.votes), 1), PIECE):
            piece = row.votes[start : start + PIECE]
            log_leaves.add(session, LeafKind.DECISION, number=row.number, **facts, votes=piece)


def newest_run(session: Session) -> GateRunRow | None:
    """The newest run, without its audit file."""
    return session.scalar(
        select(GateRunRow).options(defer(GateRunRow.audit)).order_by(GateRunRow.number.desc()).limit(1)
    )


def newest_run_number(session: Session) -> int:
    """The number of the newest run, 0 before the first one."""
    return session.scalar(select(func.max(GateRunRow.number))) or 0


def add_run(session: Session, row: GateRunRow) -> None:
    """Append a run, and delete the boards of the one before unless that closed a week or was the last of its day."""
    before = newest_run(session)
    if before is not None and before.week is None and before.created_at.date() == row.created_at.date():
        before.boards = {}
    session.add(row)


def renew_run(session: Session, row: GateRunRow) -> None:
    """Put a run without decisions in the place of the newest one; append it on a new day, or with other notes."""
    before = newest_run(session)
    if before is None or before.week is not None or not _is_like(before, row):
        add_run(session, row)
        return
    for name in ("last_vote", "last_decision", "unlisted", "awake", "networks", "established", "boards", "created_at"):
        setattr(before, name, getattr(row, name))


def _is_like(before: GateRunRow, row: GateRunRow) -> bool:
    """Whether runs are of one day and one method, with the same notes on boards, which are kept by a run's number."""
    notes = ("preliminary", "undecided")
    has_notes = all(list(before.boards.get(name, ())) == list(row.boards.get(name, ())) for name in notes)
    return has_notes and before.method == row.method and before.created_at.date() == row.created_at.date()


def closed_weeks(session: Session) -> list[date]:
    """Mondays of the weeks that are closed, ascending."""
    query = select(GateRunRow.week).where(GateRunRow.week.is_not(None)).order_by(GateRunRow.week)
    return [week for week in session.scalars(query) if week]


def closings(session: Session, limit: int = 60) -> Sequence[GateRunRow]:
    """The runs that closed the newest weeks, newest first, without audit files."""
    query = select(GateRunRow).options(defer(GateRunRow.audit)).where(GateRunRow.week.is_not(None))
    return session.scalars(query.order_by(GateRunRow.week.desc()).limit(limit)).all()


def of_week(session: Session, week: date) -> GateRunRow | None:
    """The run that closed a week, with its audit file."""
    return session.scalar(select(GateRunRow).where(GateRunRow.week == week))


def newest(session: Session, limit: int, reason: str | None = None) -> Sequence[DecisionRow]:
    """The newest decisions, of all reasons or of one, newest first."""
    query = select(DecisionRow).order_by(DecisionRow.number.desc()).limit(limit)
    return session.scalars(query if reason is None else query.where(DecisionRow.reason == reason)).all()


def objections(session: Session, endpoint_id: int | None = None) -> Sequence[ObjectionRow]:
    """Objections of all endpoints or of one, newest first."""
    query = select(ObjectionRow).order_by(ObjectionRow.number.desc())
    return session.scalars(query if endpoint_id is None else query.where(ObjectionRow.endpoint_id == endpoint_id)).all()


def objection(session: Session, number: int) -> ObjectionRow | None:
    """One objection."""
    return session.get(ObjectionRow, number)
