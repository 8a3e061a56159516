"""Queries about annotations, which are appended only, and their withdrawals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from arena.evaluations.store.tables.annotations import AnnotationRow, AnnotatorRow, WithdrawalRow

UNDONE: Final = "undo"
"""Reason of a withdrawal by the annotator, who answers anew."""


_PIECE: Final = 50_000


def add(session: Session, rows: Sequence[dict[str, object]]) -> None:
    """Append annotations."""
    if rows:
        session.execute(insert(AnnotationRow), rows)


def last_values(session: Session, evaluation_id: int) -> dict[tuple[int, int, int], str]:
    """The last value by annotator, item and attempt, in all annotations, withdrawn ones too."""
    query = select(AnnotationRow.annotator_id, AnnotationRow.item_id, AnnotationRow.attempt, AnnotationRow.value)
    rows = session.execute(query.where(AnnotationRow.evaluation_id == evaluation_id).order_by(AnnotationRow.number))
    return {(annotator, item, attempt): value for annotator, item, attempt, value in rows}


def count(session: Session, evaluation_id: int) -> int:
    """The number of annotations that stand."""
    query = select(func.count()).select_from(AnnotationRow).outerjoin(WithdrawalRow)
    conditions = AnnotationRow.evaluation_id == evaluation_id, WithdrawalRow.annotation_number.is_(None)
    return session.scalar(query.where(*conditions)) or 0


def last_number(session: Session, evaluation_id: int) -> int:
    """The number of the newest annotation, 0 without one."""
    query = select(func.max(AnnotationRow.number)).where(AnnotationRow.evaluation_id == evaluation_id)
    return session.scalar(query) or 0


def by_annotator(session: Session, evaluation_id: int) -> dict[int, int]:
    """The number of annotations of each annotator that stand."""
    query = select(AnnotationRow.annotator_id, func.count()).outerjoin(WithdrawalRow)
    conditions = AnnotationRow.evaluation_id == evaluation_id, WithdrawalRow.annotation_number.is_(None)
    rows = session.execute(query.where(*conditions).group_by(AnnotationRow.annotator_id))
    return {number: count for number, count in rows}  # a row is no pair to the types


def judges(session: Session, item_id: int) -> int:
    """How many annotators have judged an item."""
    query = select(func.count(AnnotationRow.annotator_id.distinct())).where(AnnotationRow.item_id == item_id)
    return session.scalar(query) or 0


def withdraw(session: Session, number: int, reason: str, now: datetime) -> None:
    """Say that an annotation no longer counts."""
    session.add(WithdrawalRow(annotation_number=number, reason=reason, created_at=now))
    session.flush()


def withdraw_all(session: Session, annotator_id: int, reason: str, now: datetime) -> int:
    """Withdraw all annotations of one annotator that stand; returns how many."""
    query = select(AnnotationRow.number).outerjoin(WithdrawalRow)
    conditions = AnnotationRow.annotator_id == annotator_id, WithdrawalRow.annotation_number.is_(None)
    numbers = session.scalars(query.where(*conditions)).all()
    for number in numbers:
        withdraw(session, number, reason, now)
    return len(numbers)


def left_out(session: Session, evaluation_id: int) -> list[tuple[str, str, int]]:
    """Label, reason and number of annotations of whoever somebody else withdrew annotations of."""
    query = select(AnnotatorRow.label, WithdrawalRow.reason, func.count()).select_from(WithdrawalRow)
    source = query.join(AnnotationRow).join(AnnotatorRow, AnnotatorRow.id == AnnotationRow.annotator_id)
    conditions = AnnotationRow.evaluation_id == evaluation_id, WithdrawalRow.reason != UNDONE
    rows = session.execute(
        source.where(*conditions).group_by(AnnotatorRow.id, AnnotatorRow.label, WithdrawalRow.reason)
    )
    return [(label, reason, number) for label, reason, number in rows]


def standing_rows(
    session: Session, evaluation_id: int
) -> Iterator[Sequence[tuple[int, int, int, bool, str, int | None]]]:
    """Item, annotator, attempt, whether swapped, value and time in ms of all annotations that stand, in pieces."""
    columns = AnnotationRow.item_id, AnnotationRow.annotator_id, AnnotationRow.attempt
    query = select(*columns, AnnotationRow.swapped, AnnotationRow.value, AnnotationRow.milliseconds)
    conditions = AnnotationRow.evaluation_id == evaluation_id, WithdrawalRow.annotation_number.is_(None)
    rows = query.outerjoin(WithdrawalRow).where(*conditions).order_by(AnnotationRow.number)
    yield from session.connection().execute(rows).partitions(_PIECE)  # pyright: ignore[reportReturnType]


def all_rows(session: Session, evaluation_id: int) -> Sequence[tuple[AnnotationRow, str | None, AnnotatorRow]]:
    """All annotations in order, each with the reason of its withdrawal and its annotator."""
    query = select(AnnotationRow, WithdrawalRow.reason, AnnotatorRow).outerjoin(WithdrawalRow)
    source = query.join(AnnotatorRow, AnnotatorRow.id == AnnotationRow.annotator_id)
    rows = session.execute(source.where(AnnotationRow.evaluation_id == evaluation_id).order_by(AnnotationRow.number))
    return [(annotation, reason, annotator) for annotation, reason, annotator in rows]
