"""Queries about annotations, which are appended only, and their withdrawals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, insert, select, update

from arena.evaluations.store.tables import AnnotationRow, AnnotatorRow, EvaluationRow, WithdrawalRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

UNDONE: Final = "undo"
"""Reason of a withdrawal by the annotator, who answers anew."""
_PIECE: Final = 50_000
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
"""A label that may be the number of an annotator; no evaluation gives longer ones."""


def labels(session: Session, evaluation_id: int) -> dict[str, int]:
    """All annotators of an evaluation by label."""
    query = select(AnnotatorRow.label, AnnotatorRow.id).where(AnnotatorRow.evaluation_id == evaluation_id)
    rows = session.execute(query.order_by(AnnotatorRow.id))
    return {row.label: row.id for row in rows}


def new_labels(session: Session, evaluation_id: int, number: int) -> list[str]:
    """Labels for this many new annotators: the next numbers of the evaluation, whose row stays locked."""
    after = EvaluationRow.last_annotator + number
    statement = update(EvaluationRow).where(EvaluationRow.id == evaluation_id).values(last_annotator=after)
    last = session.execute(statement.returning(EvaluationRow.last_annotator)).scalar_one()
    return [str(each) for each in range(last - number + 1, last + 1)]


def reserve_labels(session: Session, evaluation_id: int, labels: Iterable[str]) -> None:
    """Keep the numbers among these labels from being given to new annotators."""
    highest = max((int(label) for label in labels if _NUMBER.fullmatch(label)), default=0)
    lower = EvaluationRow.id == evaluation_id, EvaluationRow.last_annotator < highest
    session.execute(update(EvaluationRow).where(*lower).values(last_annotator=highest))


def add_annotator(session: Session, evaluation_id: int, label: str, now: datetime, **fields: Any) -> AnnotatorRow:  # noqa: ANN401 - columns
    """Add an annotator."""
    fresh = {"link": None, "voter_key": None, "reviewer": False, "revoked_at": None}
    row = AnnotatorRow(evaluation_id=evaluation_id, label=label, created_at=now, **(fresh | fields))
    session.add(row)
    session.flush()
    return row


def of_voter(session: Session, evaluation_id: int, voter_key: str) -> AnnotatorRow | None:
    """The annotator of an evaluation who is this voter."""
    mine = AnnotatorRow.evaluation_id == evaluation_id, AnnotatorRow.voter_key == voter_key
    return session.scalar(select(AnnotatorRow).where(*mine))


def add(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Append annotations."""
    if rows:
        session.execute(insert(AnnotationRow), rows)


def known(session: Session, evaluation_id: int) -> set[tuple[int, int, int]]:
    """Annotator, item and attempt of all annotations, withdrawn ones too."""
    query = select(AnnotationRow.annotator_id, AnnotationRow.item_id, AnnotationRow.attempt)
    rows = session.execute(query.where(AnnotationRow.evaluation_id == evaluation_id))
    return {(annotator, item, attempt) for annotator, item, attempt in rows}


def count(session: Session, evaluation_id: int) -> int:
    """The number of annotations that stand."""
    query = select(func.count()).select_from(AnnotationRow).outerjoin(WithdrawalRow)
    standing = AnnotationRow.evaluation_id == evaluation_id, WithdrawalRow.annotation_number.is_(None)
    return session.scalar(query.where(*standing)) or 0


def last_number(session: Session, evaluation_id: int) -> int:
    """The number of the newest annotation, 0 without one."""
    query = select(func.max(AnnotationRow.number)).where(AnnotationRow.evaluation_id == evaluation_id)
    return session.scalar(query) or 0


def by_annotator(session: Session, evaluation_id: int) -> dict[int, int]:
    """The number of annotations of each annotator that stand."""
    query = select(AnnotationRow.annotator_id, func.count()).outerjoin(WithdrawalRow)
    standing = AnnotationRow.evaluation_id == evaluation_id, WithdrawalRow.annotation_number.is_(None)
    rows = session.execute(query.where(*standing).group_by(AnnotationRow.annotator_id))
    return {number: count for number, count in rows}  # noqa: C416 - a row is no pair to the types


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
    mine = AnnotationRow.annotator_id == annotator_id, WithdrawalRow.annotation_number.is_(None)
    numbers = session.scalars(query.where(*mine)).all()
    for number in numbers:
        withdraw(session, number, reason, now)
    return len(numbers)


def left_out(session: Session, evaluation_id: int) -> list[tuple[str, str, int]]:
    """Label, reason and number of annotations of whoever somebody else withdrew annotations of."""
    query = select(AnnotatorRow.label, WithdrawalRow.reason, func.count()).select_from(WithdrawalRow)
    joined = query.join(AnnotationRow).join(AnnotatorRow, AnnotatorRow.id == AnnotationRow.annotator_id)
    mine = AnnotationRow.evaluation_id == evaluation_id, WithdrawalRow.reason != UNDONE
    rows = session.execute(joined.where(*mine).group_by(AnnotatorRow.id, AnnotatorRow.label, WithdrawalRow.reason))
    return [(label, reason, number) for label, reason, number in rows]


def standing(session: Session, evaluation_id: int) -> Iterator[Sequence[tuple[int, int, int, bool, str, int | None]]]:
    """Item, annotator, attempt, whether swapped, value and time in ms of all annotations that stand, in pieces."""
    columns = AnnotationRow.item_id, AnnotationRow.annotator_id, AnnotationRow.attempt
    query = select(*columns, AnnotationRow.swapped, AnnotationRow.value, AnnotationRow.milliseconds)
    mine = AnnotationRow.evaluation_id == evaluation_id, WithdrawalRow.annotation_number.is_(None)
    whole = query.outerjoin(WithdrawalRow).where(*mine).order_by(AnnotationRow.number)
    yield from session.connection().execute(whole).partitions(_PIECE)  # pyright: ignore[reportReturnType]


def every(session: Session, evaluation_id: int) -> Sequence[tuple[AnnotationRow, str | None, str]]:
    """All annotations in order, each with the reason of its withdrawal and its annotator's label."""
    query = select(AnnotationRow, WithdrawalRow.reason, AnnotatorRow.label).outerjoin(WithdrawalRow)
    mine = query.join(AnnotatorRow, AnnotatorRow.id == AnnotationRow.annotator_id)
    rows = session.execute(mine.where(AnnotationRow.evaluation_id == evaluation_id).order_by(AnnotationRow.number))
    return [(annotation, reason, label) for annotation, reason, label in rows]
