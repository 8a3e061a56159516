"""Queries about annotations, which are appended only, and their withdrawals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, func, insert, select
from sqlalchemy.orm import Session

from arena.evaluations.store.tables.annotations import AnnotationRow, AnnotatorRow, WithdrawalRow

UNDONE: Final = "undo"
"""Reason of a withdrawal by the annotator, who judges the item again."""


def add(session: Session, rows: Sequence[dict[str, object]]) -> None:
    """Append annotations."""
    if rows:
        session.execute(insert(AnnotationRow), rows)


def last_values(session: Session, item_ids: Collection[int]) -> dict[int, dict[tuple[int, int], str]]:
    """The last values of each of these items by annotator and attempt, withdrawn ones included."""
    row, values = AnnotationRow, {number: dict[tuple[int, int], str]() for number in item_ids}
    query = select(row.item_id, row.annotator_id, row.attempt, row.value)
    for item, annotator, attempt, value in session.execute(query.where(row.item_id.in_(item_ids)).order_by(row.number)):
        values[item][annotator, attempt] = value
    return values


def count(session: Session, evaluation_id: int) -> int:
    """The number of annotations without those withdrawn."""
    return counts(session, [evaluation_id]).get(evaluation_id, 0)


def counts(session: Session, evaluation_ids: Collection[int]) -> dict[int, int]:
    """`count` of evaluations; none for one without annotations."""
    query = select(AnnotationRow.evaluation_id, func.count()).outerjoin(WithdrawalRow)
    conditions = AnnotationRow.evaluation_id.in_(evaluation_ids), WithdrawalRow.annotation_number.is_(None)
    rows = session.execute(query.where(*conditions).group_by(AnnotationRow.evaluation_id))
    return {evaluation: number for evaluation, number in rows}


def last_number(session: Session, evaluation_id: int) -> int:
    """The number of the newest annotation, 0 without one."""
    query = select(func.max(AnnotationRow.number)).where(AnnotationRow.evaluation_id == evaluation_id)
    return session.scalar(query) or 0


def by_annotator(session: Session, evaluation_id: int) -> dict[int, int]:
    """The number of annotations by annotator, without those withdrawn."""
    query = select(AnnotationRow.annotator_id, func.count()).outerjoin(WithdrawalRow)
    conditions = AnnotationRow.evaluation_id == evaluation_id, WithdrawalRow.annotation_number.is_(None)
    return dict(session.execute(query.where(*conditions).group_by(AnnotationRow.annotator_id)).all())


def first_values(session: Session, condition: ColumnElement[bool]) -> dict[int, list[str]]:
    """The values of each item without those of repeats and withdrawn ones; none for one that nobody has judged."""
    values = defaultdict[int, list[str]](list)
    query = select(AnnotationRow.item_id, AnnotationRow.value).outerjoin(WithdrawalRow)
    conditions = AnnotationRow.attempt == 0, WithdrawalRow.annotation_number.is_(None)
    for item, value in session.execute(query.where(condition, *conditions)):
        values[item].append(value)
    return values


def first_items(session: Session, annotator_id: int) -> Sequence[int]:
    """The items that an annotator has judged, without withdrawn judgements."""
    query = select(AnnotationRow.item_id).outerjoin(WithdrawalRow).where(AnnotationRow.annotator_id == annotator_id)
    return session.scalars(query.where(AnnotationRow.attempt == 0, WithdrawalRow.annotation_number.is_(None))).all()


def withdraw(session: Session, number: int, reason: str, now: datetime) -> None:
    """Withdraw an annotation."""
    session.add(WithdrawalRow(annotation_number=number, reason=reason, created_at=now))
    session.flush()


def withdraw_all(session: Session, annotator_id: int, reason: str, now: datetime) -> int:
    """Withdraw the remaining annotations of an annotator; returns their number."""
    query = select(AnnotationRow.number).outerjoin(WithdrawalRow)
    conditions = AnnotationRow.annotator_id == annotator_id, WithdrawalRow.annotation_number.is_(None)
    numbers = session.scalars(query.where(*conditions)).all()
    for number in numbers:
        withdraw(session, number, reason, now)
    return len(numbers)


def exclusions(session: Session, evaluation_id: int) -> list[tuple[str, str, int]]:
    """Label, reason and number of withdrawn annotations of annotators who were left out."""
    query = select(AnnotatorRow.label, WithdrawalRow.reason, func.count()).select_from(WithdrawalRow)
    source = query.join(AnnotationRow).join(AnnotatorRow, AnnotatorRow.id == AnnotationRow.annotator_id)
    conditions = AnnotationRow.evaluation_id == evaluation_id, WithdrawalRow.reason != UNDONE
    groups = AnnotatorRow.id, AnnotatorRow.label, WithdrawalRow.reason
    return list(session.execute(source.where(*conditions).group_by(*groups)))


def all_rows(session: Session, evaluation_id: int) -> Sequence[tuple[AnnotationRow, str | None, AnnotatorRow]]:
    """All annotations in order, each with the reason of its withdrawal, if any, and its annotator."""
    query = select(AnnotationRow, WithdrawalRow.reason, AnnotatorRow).outerjoin(WithdrawalRow)
    source = query.join(AnnotatorRow, AnnotatorRow.id == AnnotationRow.annotator_id)
    rows = source.where(AnnotationRow.evaluation_id == evaluation_id).order_by(AnnotationRow.number)
    return session.execute(rows).all()
