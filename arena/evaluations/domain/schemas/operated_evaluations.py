"""Drafts, invitations, annotators, opening and closing of evaluations, and reviews of converted questions."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from arena.domain.schemas.base import Wire
from arena.domain.schemas.questions import WordingView
from arena.evaluations.domain.schemas.evaluations import EvaluationProgressView
from arena.evaluations.domain.terms import ConversionState, ReviewDecision

TEAM: Final = r"^[^\W_][\w -]*$|^$"
"""Name of a team of annotators: letters, digits, spaces and dashes."""
TEAM_LIMIT: Final = 24
Reviewer = Annotated[str, Field(min_length=1, max_length=80)]


class DraftRequest(Wire):
    """A new evaluation: `content` is what was pasted, or a file in base64 if `file` is its name; models by name."""

    name: str = Field(max_length=80)
    content: str
    file: str | None = Field(default=None, max_length=200)
    models: list[str] = Field(max_length=100)
    protocol: str = Field(default="pairwise", max_length=40)
    per_item: int = Field(default=3, ge=1, le=100)
    public: bool = False


class DraftView(EvaluationProgressView):
    """A new evaluation, and the rows of its file that could not be used."""

    refused: list[str]


class CandidateView(Wire):
    """A model or a configuration that may be asked in evaluations."""

    name: str
    configuration: bool
    practice: bool


class OpeningRequest(Wire):
    """The opening of an evaluation; with `partial` answers may be missing."""

    partial: bool = False


class InvitationRequest(Wire):
    """How many people are invited, the address of the arena as they reach it, and the areas that they know."""

    number: int = Field(ge=1, le=100)
    address: str = Field(pattern=r"^https?://[A-Za-z0-9.:\[\]-]+$", max_length=200)
    reviewer: bool = False
    team: str = Field(default="", max_length=TEAM_LIMIT, pattern=TEAM)
    hints: bool = True
    areas: list[str] = Field(default_factory=list, max_length=100)


class InvitationView(Wire):
    """The secret link of one person, shown this once, and the same as a picture to be photographed, as an SVG URI."""

    annotator: str
    link: str
    qr: str


class AnnotatorStateView(Wire):
    """One annotator for whoever runs the evaluation; many `networks` in few days tell of a link that others have."""

    label: str
    team: str
    hints: bool
    areas: list[str] = Field(default_factory=list)
    reviewer: bool
    invited: bool
    revoked: bool
    done: int
    networks: int


class ClosingRequest(Wire):
    """The end of an evaluation; with `incomplete` although answers or annotations are missing."""

    publish: bool = False
    incomplete: bool = False


class LinkView(Wire):
    """The secret by which an annotator is known."""

    link: str


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
