"""Reviews of converted questions by people, and the set of the confirmed ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import ValidationError
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.adapters.store import questions as stored
from arena.adapters.store.engine import Database
from arena.adapters.store.engine.transactions import read_transaction
from arena.adapters.store.tables.questions import QuestionSetRow
from arena.domain.errors import Conflict, Invalid, NotFound, QuestionSetNotFound
from arena.domain.schemas.questions import QuestionView, SetFactsView, WordingView
from arena.evaluations.domain.errors import AlreadyReviewed
from arena.evaluations.domain.questions.reviews import (
    REVIEWS,
    Review,
    ReviewStatus,
    apply_review,
    apply_reviews,
    reviewer_name,
)
from arena.evaluations.domain.terms import ConversionState
from arena.evaluations.store import drafts
from arena.evaluations.store.tables.drafts import ConversionReviewRow, QuestionConversionRow
from arena.evaluations.usecases.sets.importer import SetImport, import_set


@dataclass(frozen=True, slots=True)
class Conversion:
    """A converted question: the open one, the endpoint's text, the reviews and their status."""

    id: int
    question: QuestionView
    endpoint: str
    text: str
    reason: str | None
    reviews: list[Review[WordingView]]
    reviewed: ReviewStatus[WordingView]


@read_transaction
def conversions_of(session: Session, name: str) -> list[Conversion]:
    """All conversions of the questions of the newest version of a set, in their order.

    Raises:
        QuestionSetNotFound: There is no such set.
    """
    return _conversions(session, _set_row(session, name))


@read_transaction
def conversion(session: Session, conversion_id: int) -> Conversion:
    """One conversion, with the question that was converted.

    Raises:
        NotFound: There is none of this number.
    """
    row = _row(session, conversion_id)
    question = QuestionView.model_validate(stored.by_row(session, row.question_id).body)
    return _conversion(row, question, drafts.conversion_reviews(session, [row.id]).get(row.id, []))


async def review(
    database: Database, conversion_id: int, decision: Review[WordingView], now: datetime
) -> ConversionState:
    """Add a person's review, and return the new state.

    Raises:
        NotFound: There is no such conversion.
        Invalid: The review is incomplete, or there is no wording to confirm.
        AlreadyReviewed: This person has confirmed this wording, it has all reviews, or another review came first.
    """
    try:
        return await database.write(_review, conversion_id, decision, now)
    except IntegrityError:
        raise AlreadyReviewed("Somebody else has just reviewed this conversion; look at it again.") from None


async def build(database: Database, name: str, into: str | None, now: datetime) -> SetImport:
    """Store the confirmed questions as a version of a closed set, by default `NAME-closed`, with the same ids.

    Raises:
        QuestionSetNotFound: There is no such set.
        Invalid: None is confirmed, or the name of the new set is invalid.
        Conflict: The other set was not made by conversion from this one.
    """
    facts, questions = await database.read(_confirmed_questions, name, into or f"{name}-closed")
    return await import_set(database, facts, questions, now)


def _set_row(session: Session, name: str) -> QuestionSetRow:
    row = stored.version(session, name)
    if row is None:
        raise QuestionSetNotFound
    return row


def _conversions(session: Session, set_row: QuestionSetRow) -> list[Conversion]:
    rows = drafts.of_version(session, set_row)
    reviews = drafts.conversion_reviews(session, [row.id for row, _ in rows])
    return [_conversion(row, QuestionView.model_validate(entry.body), reviews.get(row.id, [])) for row, entry in rows]


def _row(session: Session, conversion_id: int) -> QuestionConversionRow:
    row = drafts.conversion_by_id(session, conversion_id)
    if row is None:
        raise NotFound("There is no such conversion.")
    return row


def _conversion(row: QuestionConversionRow, question: QuestionView, rows: Sequence[ConversionReviewRow]) -> Conversion:
    reviews = _reviews(rows)
    result = apply_reviews(_wording_of(row), reviews)
    return Conversion(row.id, question, row.endpoint, row.text, row.reason, reviews, result)


def _reviews(rows: Sequence[ConversionReviewRow]) -> list[Review[WordingView]]:
    return [Review(row.reviewer, row.decision, _wording_of(row), row.remark) for row in rows]


def _wording_of(row: QuestionConversionRow | ConversionReviewRow) -> WordingView | None:
    return None if row.wording is None else WordingView.model_validate(row.wording)


def _review(session: Session, conversion_id: int, decision: Review[WordingView], now: datetime) -> ConversionState:
    row = _row(session, conversion_id)
    reviews = drafts.conversion_reviews(session, [conversion_id]).get(conversion_id, [])
    result = apply_review(apply_reviews(_wording_of(row), _reviews(reviews)), decision)
    drafts.add_conversion_review(
        session,
        conversion_id,
        len(reviews) + 1,
        reviewer=reviewer_name(decision.reviewer),
        decision=decision.decision,
        wording=decision.wording and decision.wording.model_dump(),
        remark=decision.remark.strip(),
        created_at=now,
    )
    session.flush()
    return result.state


def _confirmed_questions(session: Session, name: str, into: str) -> tuple[SetFactsView, list[QuestionView]]:
    set_row, target = _set_row(session, name), stored.version(session, into)
    source = f"{name}, converted by endpoints; {REVIEWS} people have confirmed each question"
    if target is not None and target.source != source:
        raise Conflict(f"{into} was not made by conversion from {name}; choose another name with --into.")
    results: dict[str, QuestionView] = {}
    for entry in _conversions(session, set_row):
        if entry.reviewed.state is ConversionState.CONFIRMED and entry.reviewed.wording is not None:
            results.setdefault(entry.question.id, _close(entry.question, entry.reviewed.wording))
    if not results:
        raise Invalid(f"No converted question of {name} is confirmed by {REVIEWS} people.")
    try:
        facts = SetFactsView(name=into, licence=set_row.licence, source=source, language=set_row.language)
    except ValidationError as error:
        raise Invalid(f"{into!r}: {error.errors(include_url=False)[0]['msg']}.") from None
    return facts, list(results.values())


def _close(question: QuestionView, wording: WordingView) -> QuestionView:
    """The closed question, with the id and the place in the tree of tasks of the open one."""
    fields = question.model_dump(include={"id", "area", "category", "task", "difficulty"})
    return QuestionView(**fields, turns=[wording.question], options=wording.options, key=wording.key)
