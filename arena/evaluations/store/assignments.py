"""Queries about assignments: who has which item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select, update

from arena.evaluations.domain.terms import AssignmentState
from arena.evaluations.store.tables import (
    AnnotationRow,
    AnnotatorNetworkRow,
    AnnotatorRow,
    AssignmentRow,
    EvaluationItemRow,
    WithdrawalRow,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session


def annotators(session: Session, evaluation_id: int) -> Sequence[AnnotatorRow]:
    """All annotators of an evaluation, in the order in which they joined."""
    query = select(AnnotatorRow).where(AnnotatorRow.evaluation_id == evaluation_id)
    return session.scalars(query.order_by(AnnotatorRow.id)).all()


def networks(session: Session, evaluation_id: int) -> dict[int, int]:
    """The number of networks that each annotator worked from, counted anew each day."""
    query = select(AnnotatorNetworkRow.annotator_id, func.count()).join(AnnotatorRow)
    rows = session.execute(
        query.where(AnnotatorRow.evaluation_id == evaluation_id).group_by(AnnotatorNetworkRow.annotator_id)
    )
    return {number: count for number, count in rows}  # noqa: C416 - a row is no pair to the types


def of(session: Session, annotator_id: int, *states: AssignmentState) -> Sequence[AssignmentRow]:
    """An annotator's assignments in these states, in order."""
    query = select(AssignmentRow).where(AssignmentRow.annotator_id == annotator_id, AssignmentRow.state.in_(states))
    return session.scalars(query.order_by(AssignmentRow.position)).all()


def give_back(session: Session, item_id: int) -> None:
    """Give one place at an item back."""
    statement = update(EvaluationItemRow).where(EvaluationItemRow.id == item_id)
    session.execute(statement.values(taken=EvaluationItemRow.taken - 1))


def expire(session: Session, evaluation_id: int, before: datetime) -> int:
    """Give back what was shown before this time and never judged; returns how many."""
    mine = select(AnnotatorRow.id).where(AnnotatorRow.evaluation_id == evaluation_id)
    stale = (
        AssignmentRow.state == AssignmentState.SHOWN,
        AssignmentRow.shown_at < before,
        AssignmentRow.annotator_id.in_(mine),
    )
    rows = session.scalars(select(AssignmentRow).where(*stale).with_for_update(skip_locked=True)).all()
    for row in rows:
        row.state = AssignmentState.EXPIRED
        if not row.attempt:
            give_back(session, row.item_id)
    return len(rows)


def newest(session: Session, annotator_id: int) -> AnnotationRow | None:
    """An annotator's last annotation that stands."""
    query = select(AnnotationRow).outerjoin(WithdrawalRow).where(WithdrawalRow.annotation_number.is_(None))
    mine = query.where(AnnotationRow.annotator_id == annotator_id)
    return session.scalars(mine.order_by(AnnotationRow.number.desc()).limit(1)).first()
