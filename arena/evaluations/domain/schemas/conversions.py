"""Reviews of converted questions by people: what to read next, and what is said of it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from arena.domain.schemas.base import Wire
from arena.domain.schemas.questions import WordingView
from arena.evaluations.domain.terms import ConversionState, ReviewDecision

Reviewer = Annotated[str, Field(min_length=1, max_length=80)]


class ConversionView(Wire):
    """A converted question: the open one, the closed one if the text could be read, and how far its reviews are."""

    number: int
    question: str
    prompt: str
    endpoint: str
    state: ConversionState
    wording: WordingView | None
    text: str
    confirmed_by: list[str]
    remarks: list[str]


class ConversionTaskView(Wire):
    """The next converted question for a reviewer, if there is one, and how many are in each state."""

    item: ConversionView | None
    states: dict[str, int]


class ReviewRequest(Wire):
    """A reviewer's word: an amendment has the whole new wording, a rejection its reason as a remark."""

    reviewer: Reviewer
    verdict: ReviewDecision
    wording: WordingView | None = None
    remark: str = Field(default="", max_length=1000)
