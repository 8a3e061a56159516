"""Reviews of a question that an endpoint converted or a person wrote: three people stand for one wording before use.

SuperCLUE and TencentLLMEval review in three stages; here a changed wording starts again, with its author as the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from arena.domain.errors import Invalid
from arena.evaluations.domain.errors import AlreadyReviewed
from arena.evaluations.domain.terms import ConversionState, DraftState, ReviewDecision

W = TypeVar("W")
"""The thing that is reviewed: the wording of a converted question, or a question that a person wrote."""

REVIEWS: Final = 3
"""People who confirm a wording, each once."""
REVIEWER_LIMIT: Final = 80
MACHINE: Final = "machine "
"""Beginning of the name of an endpoint that wrote a question; no person's name begins so."""

_BY_REVIEWS: Final = (
    ConversionState.CONVERTED,
    ConversionState.REVIEWED_ONCE,
    ConversionState.REVIEWED_TWICE,
    ConversionState.CONFIRMED,
)
_BY_STAGES: Final = (DraftState.DRAFT, DraftState.CHECKED, DraftState.ACCEPTED)


@dataclass(frozen=True, slots=True)
class Review(Generic[W]):
    """The decision of one person; an amendment has their wording, a rejection their reason."""

    reviewer: str
    decision: ReviewDecision
    wording: W | None = None
    remark: str = ""


def review_of(reviewer: str, *, confirm: bool, wording: W | None, reason: str | None) -> Review[W]:
    """The one decision that was given: to confirm, a wording in the place of the old one, or a reason to reject.

    Raises:
        Invalid: It is none of them, or several.
    """
    if [confirm, wording is not None, reason is not None].count(True) != 1:
        raise Invalid("A review is one of --confirm, --amend FILE and --reject REASON.")
    if confirm:
        return Review(reviewer, ReviewDecision.CONFIRMED, wording)
    if reason is not None:
        return Review(reviewer, ReviewDecision.REJECTED, wording, reason)
    return Review(reviewer, ReviewDecision.AMENDED, wording)


@dataclass(frozen=True, slots=True)
class ReviewStatus(Generic[W]):
    """The wording as it is now, who has confirmed it, and the state that makes."""

    wording: W | None
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

    @property
    def stage(self) -> DraftState:
        """The stage of a draft, whose author is the first to stand for it."""
        return DraftState.REJECTED if self.rejected else _BY_STAGES[len(self.confirmed_by) - 1]


def after_reviews(wording: W | None, reviews: Iterable[Review[W]], author: str = "") -> ReviewStatus[W]:
    """The standing of a question after its reviews, in their order; a person who wrote it is the first."""
    status = ReviewStatus(wording, (author,) if author else ())
    for review in reviews:
        status = after_review(status, review)
    return status


def after_review(status: ReviewStatus[W], review: Review[W]) -> ReviewStatus[W]:
    """The standing after one more review.

    Raises:
        Invalid: The review lacks something, or there is no wording to confirm.
        AlreadyReviewed: The question is rejected or confirmed already, or this person has confirmed this wording.
    """
    name = reviewer_name(review.reviewer)
    if status.rejected:
        raise AlreadyReviewed("This question is rejected; nothing changes that.")
    if review.decision is ReviewDecision.REJECTED:
        if not review.remark.strip():
            raise Invalid("A rejection needs a reason.")
        return ReviewStatus(status.wording, status.confirmed_by, rejected=True)
    if review.decision is ReviewDecision.AMENDED:
        if review.wording is None:
            raise Invalid("An amendment needs the new wording.")
        return ReviewStatus(review.wording, (name,))
    return _confirm(status, name)


def machine_name(endpoint: str) -> str:
    """The name of an endpoint as the author of a question."""
    return f"{MACHINE}{endpoint}"[:REVIEWER_LIMIT]


def reviewer_name(text: str) -> str:
    """The name of a reviewer as it is compared: the same person written twice is one.

    Raises:
        Invalid: It is empty, too long, not printable, or that of a machine.
    """
    name = " ".join(text.casefold().split())
    if not 0 < len(name) <= REVIEWER_LIMIT or not name.isprintable():
        raise Invalid(f"A reviewer's name has 1 to {REVIEWER_LIMIT} printable characters.")
    if f"{name} ".startswith(MACHINE):
        raise Invalid(f"{name!r} is the name of an endpoint; a review is a person's.")
    return name


def _confirm(status: ReviewStatus[W], name: str) -> ReviewStatus[W]:
    if status.wording is None:
        raise Invalid("There is no wording to confirm: its text could not be read; amend or reject it.")
    if name in status.confirmed_by:
        raise AlreadyReviewed(f"{name} has confirmed this wording; the next review is somebody else's.")
    if status.state is ConversionState.CONFIRMED:
        raise AlreadyReviewed(f"{REVIEWS} people have confirmed this wording already.")
    return ReviewStatus(status.wording, (*status.confirmed_by, name))
