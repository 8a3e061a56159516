"""Queries about questions that people write or endpoints convert, their reviews, and the areas of reviewers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, aliased

from arena.adapters.store.engine.sessions import upsert
from arena.adapters.store.tables.questions import QuestionRow, QuestionSetRow
from arena.evaluations.store.tables.drafts import (
    ConversionReviewRow,
    DraftReviewRow,
    QuestionConversionRow,
    QuestionDraftRow,
    QuestionReviewerRow,
)

_SOURCE: Final = aliased(QuestionRow)


def of_set(session: Session, set_name: str) -> Sequence[QuestionDraftRow]:
    """The drafts for a set, oldest first."""
    query = select(QuestionDraftRow).where(QuestionDraftRow.set_name == set_name)
    return session.scalars(query.order_by(QuestionDraftRow.id)).all()


def by_id(session: Session, draft_id: int) -> QuestionDraftRow | None:
    """The draft with this id, if there is one."""
    return session.get(QuestionDraftRow, draft_id)


def add(session: Session, **fields: object) -> None:
    """Add a draft."""
    session.add(QuestionDraftRow(**fields))


def reviews(session: Session, draft_ids: Sequence[int]) -> dict[int, list[DraftReviewRow]]:
    """Reviews by draft, in order."""
    results: dict[int, list[DraftReviewRow]] = defaultdict(list)
    query = select(DraftReviewRow).where(DraftReviewRow.draft_id.in_(draft_ids))
    for row in session.scalars(query.order_by(DraftReviewRow.draft_id, DraftReviewRow.number)):
        results[row.draft_id].append(row)
    return results


def add_review(session: Session, draft_id: int, number: int, **fields: object) -> None:
    """Add the review with this number; the key refuses a concurrent one."""
    session.add(DraftReviewRow(draft_id=draft_id, number=number, **fields))


def areas(session: Session, reviewer: str) -> list[str]:
    """The areas of a reviewer; empty means all."""
    query = select(QuestionReviewerRow.area).where(QuestionReviewerRow.reviewer == reviewer)
    return list(session.scalars(query.order_by(QuestionReviewerRow.area)))


def put_areas(session: Session, reviewer: str, names: Collection[str]) -> bool:
    """Replace the areas of a reviewer; False if they are these already."""
    if set(areas(session, reviewer)) == set(names):
        return False
    session.execute(delete(QuestionReviewerRow).where(QuestionReviewerRow.reviewer == reviewer))
    session.add_all(QuestionReviewerRow(reviewer=reviewer, area=name) for name in dict.fromkeys(names))
    return True


def of_version(session: Session, set_row: QuestionSetRow) -> Sequence[tuple[QuestionConversionRow, QuestionRow]]:
    """Conversions of the questions of a set's version in order, each with the question in that version.

    A conversion is matched by the question's id and prompt, so it holds in later versions that keep both.
    """
    query = (
        select(QuestionConversionRow, QuestionRow)
        .join(_SOURCE, _SOURCE.id == QuestionConversionRow.question_id)
        .join(QuestionSetRow, QuestionSetRow.id == _SOURCE.set_id)
        .join(QuestionRow, (QuestionRow.name == _SOURCE.name) & (QuestionRow.prompt == _SOURCE.prompt))
        .where(QuestionSetRow.name == set_row.name, QuestionRow.set_id == set_row.id)
        .order_by(QuestionRow.number, QuestionConversionRow.id)
    )
    return session.execute(query).all()


def conversion_by_id(session: Session, conversion_id: int) -> QuestionConversionRow | None:
    """The conversion with this id, if there is one."""
    return session.get(QuestionConversionRow, conversion_id)


def add_conversion(session: Session, **fields: object) -> None:
    """Store an endpoint's conversion of a question, unless there is one."""
    session.execute(upsert(session, QuestionConversionRow).values(**fields).on_conflict_do_nothing())


def conversion_reviews(session: Session, conversion_ids: Sequence[int]) -> dict[int, list[ConversionReviewRow]]:
    """Reviews by conversion, in order."""
    results: dict[int, list[ConversionReviewRow]] = defaultdict(list)
    query = select(ConversionReviewRow).where(ConversionReviewRow.conversion_id.in_(conversion_ids))
    for row in session.scalars(query.order_by(ConversionReviewRow.conversion_id, ConversionReviewRow.number)):
        results[row.conversion_id].append(row)
    return results


def add_conversion_review(session: Session, conversion_id: int, number: int, **fields: object) -> None:
    """Add the review with this number; the key refuses a concurrent one."""
    session.add(ConversionReviewRow(conversion_id=conversion_id, number=number, **fields))
