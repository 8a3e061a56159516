"""Reviews of a converted question: three people confirm one wording before it is used.

SuperCLUE reviews in three stages and amends; here a changed wording starts again, with whoever wrote it as the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.domain.errors import Invalid
from arena.evaluations.domain.errors import AlreadyReviewed
from arena.evaluations.domain.terms import ConversionState, ReviewDecision

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arena.domain.schemas.questions import WordingView

REVIEWS: Final = 3
"""People who confirm a wording, each once."""
REVIEWER_LIMIT: Final = 80


_BY_REVIEWS: Final = (
    ConversionState.CONVERTED,
    ConversionState.REVIEWED_ONCE,
    ConversionState.REVIEWED_TWICE,
    ConversionState.CONFIRMED,
)


@dataclass(frozen=True, slots=True)
class Review:
    """The decision of one person; an amendment has their wording, a rejection their reason."""

    reviewer: str
    decision: ReviewDecision
    wording: WordingView | None = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The wording as it is now, who has confirmed it, and the state that makes."""

    wording: WordingView | None
    confirmed_by: tuple[str, ...] = ()
    rejected: bool = False

    @property
    def state(self) -> ConversionState:
        """The state; an unreadable conversion can be amended or rejected, not confirmed."""
        if self.rejected:
            return ConversionState.REJECTED
        if self.wording is None:
            return ConversionState.UNREADABLE
        return _BY_REVIEWS[len(self.confirmed_by)]


def after_reviews(wording: WordingView | None, reviews: Iterable[Review]) -> Reviewed:
    """The standing of a conversion after its reviews, in their order."""
    result = Reviewed(wording)
    for review in reviews:
        result = after_review(result, review)
    return result


def after_review(before: Reviewed, review: Review) -> Reviewed:
    """The standing after one more review.

    Raises:
        Invalid: The review lacks something, or there is no wording to confirm.
        AlreadyReviewed: The question is rejected or confirmed already, or this person has confirmed this wording.
    """
    name = reviewer_name(review.reviewer)
    if before.rejected:
        raise AlreadyReviewed("This conversion is rejected; nothing changes that.")
    if review.decision is ReviewDecision.REJECTED:
        if not review.remark.strip():
            raise Invalid("A rejection needs a reason.")
        return Reviewed(before.wording, before.confirmed_by, rejected=True)
    if review.decision is ReviewDecision.AMENDED:
        if review.wording is None:
            raise Invalid("An amendment needs the new wording.")
        return Reviewed(review.wording, (name,))
    return _confirmed(before, name)


def reviewer_name(given: str) -> str:
    """The name of a reviewer as it is compared: the same person written twice is one.

    Raises:
        Invalid: It is empty, too long or not printable.
    """
    name = " ".join(given.casefold().split())
    if not 0 < len(name) <= REVIEWER_LIMIT or not name.isprintable():
        raise Invalid(f"A reviewer's name has 1 to {REVIEWER_LIMIT} printable characters.")
    return name


def _confirmed(before: Reviewed, name: str) -> Reviewed:
    if before.wording is None:
        raise Invalid("There is no wording to confirm: its text could not be read; amend or reject it.")
    if name in before.confirmed_by:
        raise AlreadyReviewed(f"{name} has confirmed this wording; the next review is somebody else's.")
    if before.state is ConversionState.CONFIRMED:
        raise AlreadyReviewed(f"{REVIEWS} people have confirmed this wording already.")
    return Reviewed(before.wording, (*before.confirmed_by, name))
