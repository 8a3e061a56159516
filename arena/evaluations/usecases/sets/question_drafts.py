"""Questions that people write: a second person checks a draft, and a third accepts it for a set.

TencentLLMEval, section 2.2: preliminary, secondary and final review. A person who amends a draft becomes its author.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.adapters.store import questions as stored
from arena.adapters.store.engine import Database
from arena.adapters.store.engine.transactions import read_transaction, write_transaction
from arena.domain.errors import Conflict, Invalid, NotFound
from arena.domain.schemas.questions import QuestionView, SetFactsView
from arena.evaluations.domain.errors import AlreadyReviewed
from arena.evaluations.domain.questions.reviews import (
    MACHINE,
    Review,
    ReviewStatus,
    apply_review,
    apply_reviews,
    reviewer_name,
)
from arena.evaluations.domain.terms import DraftState
from arena.evaluations.store import drafts
from arena.evaluations.store.tables.drafts import DraftReviewRow, QuestionDraftRow
from arena.evaluations.usecases.sets.importer import SetImport, import_set

ACCEPTED: Final = "each question is checked by a second and accepted by a third"
"""End of the source of a set of accepted questions, after the authors."""


@dataclass(frozen=True, slots=True)
class QuestionDraft:
    """A question that a person wrote, in its current wording, with reviews and their status."""

    id: int
    author: str
    question: QuestionView
    reviews: list[Review[QuestionView]]
    reviewed: ReviewStatus[QuestionView]


@write_transaction
def write(session: Session, set_name: str, author: str, questions: Sequence[QuestionView], now: datetime) -> None:
    """Store questions as drafts of an author for a set.

    Raises:
        Conflict: A draft has one of these ids already; nothing was added.
        Invalid: The author's name is not a person's.
    """
    name, names = reviewer_name(author), {row.name for row in drafts.of_set(session, set_name)}
    if duplicates := [question.id for question in questions if question.id in names]:
        raise Conflict(f"{set_name} has a draft {duplicates[0]} already; a question keeps its id for good.")
    for question in questions:
        add_draft(session, set_name, name, question, now)


def add_draft(session: Session, set_name: str, author: str, question: QuestionView, now: datetime) -> None:
    """Store one question as a draft of a person or an endpoint."""
    body = question.model_dump(mode="json", exclude_defaults=True)
    drafts.add(session, set_name=set_name, name=question.id, author=author, body=body, created_at=now)


@read_transaction
def drafts_of(session: Session, set_name: str) -> list[QuestionDraft]:
    """All drafts for a set, oldest first."""
    return _drafts(session, set_name)


@read_transaction
def next_draft(session: Session, set_name: str, reviewer: str) -> QuestionDraft | None:
    """The oldest open draft in this reviewer's areas that they have not confirmed."""
    name = reviewer_name(reviewer)
    areas = drafts.areas(session, name)
    for draft in _drafts(session, set_name):
        is_open = draft.reviewed.stage in {DraftState.DRAFT, DraftState.CHECKED}
        if is_open and name not in draft.reviewed.confirmed_by and (not areas or draft.question.area in areas):
            return draft
    return None


async def review(database: Database, draft_id: int, decision: Review[QuestionView], now: datetime) -> DraftState:
    """Add a person's review, and return the new stage.

    Raises:
        NotFound: There is no such draft.
        Invalid: The review is incomplete, changes the id, or is outside this reviewer's areas.
        AlreadyReviewed: This person has confirmed it, it has all its reviews, or another review came first.
    """
    try:
        return await database.write(_review, draft_id, decision, now)
    except IntegrityError:
        raise AlreadyReviewed("Somebody else has just reviewed this draft; look at it again.") from None


@write_transaction
def put_areas(session: Session, reviewer: str, areas: Sequence[str]) -> bool:
    """Limit a reviewer to these areas, an empty list means all; False if they are these already."""
    return drafts.put_areas(session, reviewer_name(reviewer), areas)


async def build(database: Database, set_name: str, now: datetime, *, licence: str, language: str) -> SetImport:
    """Store the accepted questions as a version of the set.

    Raises:
        Invalid: None is accepted.
        Conflict: The set was not made of drafts.
    """
    accepted_drafts = await database.read(_accepted_drafts, set_name)
    machines = sorted({draft.author for draft in accepted_drafts if draft.author.startswith(MACHINE)})
    people = ["people"] * any(not draft.author.startswith(MACHINE) for draft in accepted_drafts)
    source = f"written by {', '.join([*people, *machines])[:200]}; {ACCEPTED}"
    facts = SetFactsView(name=set_name, licence=licence, source=source, language=language)
    return await import_set(database, facts, [draft.question for draft in accepted_drafts], now)


def _drafts(session: Session, set_name: str) -> list[QuestionDraft]:
    rows = drafts.of_set(session, set_name)
    reviews = drafts.reviews(session, [row.id for row in rows])
    return [_draft(row, reviews.get(row.id, [])) for row in rows]


def _draft(row: QuestionDraftRow, rows: Sequence[DraftReviewRow]) -> QuestionDraft:
    reviews = [Review(entry.reviewer, entry.decision, _question(entry), entry.remark) for entry in rows]
    question = QuestionView.model_validate(row.body)
    status = apply_reviews(question, reviews, row.author)
    return QuestionDraft(row.id, row.author, status.wording or question, reviews, status)


def _question(row: DraftReviewRow) -> QuestionView | None:
    return None if row.body is None else QuestionView.model_validate(row.body)


def _review(session: Session, draft_id: int, decision: Review[QuestionView], now: datetime) -> DraftState:
    row, name = drafts.by_id(session, draft_id), reviewer_name(decision.reviewer)
    if row is None:
        raise NotFound("There is no such draft.")
    draft = _draft(row, rows := drafts.reviews(session, [draft_id]).get(draft_id, []))
    areas = drafts.areas(session, name)
    if areas and draft.question.area not in areas:
        raise Invalid(f"{name} is asked in {', '.join(areas)} only; this question is of {draft.question.area}.")
    if decision.wording and decision.wording.id != row.name:
        raise Invalid(f"An amended question keeps its id, {row.name}.")
    result = apply_review(draft.reviewed, decision)
    body = decision.wording and decision.wording.model_dump(mode="json", exclude_defaults=True)
    fields = {"reviewer": name, "decision": decision.decision, "body": body, "remark": decision.remark.strip()}
    drafts.add_review(session, draft_id, len(rows) + 1, **fields, created_at=now)
    session.flush()
    return result.stage


def _accepted_drafts(session: Session, set_name: str) -> list[QuestionDraft]:
    target = stored.version(session, set_name)
    if target is not None and not target.source.endswith(ACCEPTED):
        raise Conflict(f"{set_name} was not made of drafts; write them for a set of another name.")
    accepted_drafts = [draft for draft in _drafts(session, set_name) if draft.reviewed.stage is DraftState.ACCEPTED]
    if not accepted_drafts:
        raise Invalid(f"No draft for {set_name} is accepted.")
    return accepted_drafts
