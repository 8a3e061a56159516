"""Reviews of a question that an endpoint converted or a person wrote: three people confirm its wording before use.

SuperCLUE and TencentLLMEval review in three stages; here an amended wording starts again, confirmed by its author.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from arena.domain.errors import Invalid
from arena.evaluations.domain.errors import AlreadyReviewed
from arena.evaluations.domain.terms import ConversionState, DraftState, ReviewDecision

W = TypeVar("W")
"""Type of the content under review: the wording of a converted question, or a question that a person wrote."""

REVIEWS: Final = 3
"""Number of people who have to confirm a wording."""
REVIEWER_LIMIT: Final = 80
MACHINE: Final = "machine "
"""Prefix of the name of an endpoint as author; no person's name may begin with it."""

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


def new_review(reviewer: str, *, confirm: bool, wording: W | None, reason: str | None) -> Review[W]:
    """A review from exactly one of: `confirm`, an amended wording, or a reason to reject.

    Raises:
        Invalid: None of them is given, or several.
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
    """The current wording, the people who have confirmed it, and whether it is rejected."""

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
        """The stage of a draft, which its author counts as confirming."""
        return DraftState.REJECTED if self.rejected else _BY_STAGES[len(self.confirmed_by) - 1]


def apply_reviews(wording: W | None, reviews: Iterable[Review[W]], author: str = "") -> ReviewStatus[W]:
    """The status of a question after its reviews in order; a person who wrote it counts as confirming it."""
    status = ReviewStatus(wording, (author,) if author else ())
    for review in reviews:
        status = apply_review(status, review)
    return status


def apply_review(status: ReviewStatus[W], review: Review[W]) -> ReviewStatus[W]:
    """The status after one more review.

    Raises:
        Invalid: A reason, the new wording or a wording to confirm is missing, or the name is not a person's.
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
    """The normalised name of a reviewer, by which one person is recognised.

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
