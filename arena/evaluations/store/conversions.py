"""Queries about converted questions and their reviews.

A conversion belongs to a question by its id and prompt, so that it holds in later versions that left both alone.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from sqlalchemy.orm import aliased

from arena.adapters.store.engine.sessions import upsert
from arena.adapters.store.tables.questions import QuestionRow, QuestionSetRow
from arena.evaluations.store.tables.conversions import ConversionReviewRow, QuestionConversionRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session


def of_version(session: Session, chosen: QuestionSetRow) -> Sequence[tuple[QuestionConversionRow, QuestionRow]]:
    """Conversions of the questions of a version in their order, each with the question as it is there."""
    source = aliased(QuestionRow)
    query = (
        select(QuestionConversionRow, QuestionRow)
        .join(source, source.id == QuestionConversionRow.question_id)
        .join(QuestionSetRow, QuestionSetRow.id == source.set_id)
        .join(QuestionRow, (QuestionRow.name == source.name) & (QuestionRow.prompt == source.prompt))
        .where(QuestionSetRow.name == chosen.name, QuestionRow.set_id == chosen.id)
        .order_by(QuestionRow.number, QuestionConversionRow.id)
    )
    return [(conversion, question) for conversion, question in session.execute(query)]


def by_id(session: Session, conversion_id: int) -> QuestionConversionRow | None:
    """The conversion of this number, if there is one."""
    return session.get(QuestionConversionRow, conversion_id)


def add(session: Session, **fields: Any) -> None:
    """Keep what an endpoint made of a question; what is there already stays."""
    session.execute(upsert(session, QuestionConversionRow).values(**fields).on_conflict_do_nothing())


def reviews(session: Session, conversion_ids: Sequence[int]) -> dict[int, list[ConversionReviewRow]]:
    """Reviews of these conversions in their order."""
    results: dict[int, list[ConversionReviewRow]] = defaultdict(list)
    query = select(ConversionReviewRow).where(ConversionReviewRow.conversion_id.in_(conversion_ids))
    for row in session.scalars(query.order_by(ConversionReviewRow.conversion_id, ConversionReviewRow.number)):
        results[row.conversion_id].append(row)
    return results


def add_review(session: Session, conversion_id: int, number: int, **fields: Any) -> None:
    """Add the review of this number; two at once are told apart by the key."""
    session.add(ConversionReviewRow(conversion_id=conversion_id, number=number, **fields))
