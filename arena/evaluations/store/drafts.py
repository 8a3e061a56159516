"""Queries about questions that people write, their reviews, and the areas of reviewers."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select

from arena.evaluations.store.tables.drafts import DraftReviewRow, QuestionDraftRow, QuestionReviewerRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy.orm import Session


def of_set(session: Session, set_name: str) -> Sequence[QuestionDraftRow]:
    """The drafts for a set, the first written first."""
    query = select(QuestionDraftRow).where(QuestionDraftRow.set_name == set_name)
    return session.scalars(query.order_by(QuestionDraftRow.id)).all()


def by_id(session: Session, draft_id: int) -> QuestionDraftRow | None:
    """The draft of this number, if there is one."""
    return session.get(QuestionDraftRow, draft_id)


def add(session: Session, **fields: Any) -> None:
    """Add a draft."""
    session.add(QuestionDraftRow(**fields))


def reviews(session: Session, draft_ids: Sequence[int]) -> dict[int, list[DraftReviewRow]]:
    """Reviews of these drafts in their order."""
    results: dict[int, list[DraftReviewRow]] = defaultdict(list)
    query = select(DraftReviewRow).where(DraftReviewRow.draft_id.in_(draft_ids))
    for row in session.scalars(query.order_by(DraftReviewRow.draft_id, DraftReviewRow.number)):
        results[row.draft_id].append(row)
    return results


def add_review(session: Session, draft_id: int, number: int, **fields: Any) -> None:
    """Add the review of this number; two at once are told apart by the key."""
    session.add(DraftReviewRow(draft_id=draft_id, number=number, **fields))


def areas(session: Session, reviewer: str) -> list[str]:
    """The areas of a reviewer, none for all."""
    query = select(QuestionReviewerRow.area).where(QuestionReviewerRow.reviewer == reviewer)
    return list(session.scalars(query.order_by(QuestionReviewerRow.area)))


def put_areas(session: Session, reviewer: str, names: Iterable[str]) -> None:
    """Set the areas of a reviewer in the place of earlier ones."""
    session.execute(delete(QuestionReviewerRow).where(QuestionReviewerRow.reviewer == reviewer))
    session.add_all(QuestionReviewerRow(reviewer=reviewer, area=name) for name in dict.fromkeys(names))
