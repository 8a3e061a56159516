"""Drafts, invitations, annotators, opening and closing of evaluations, and reviews of converted questions."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from arena.domain.schemas.base import Wire
from arena.domain.schemas.questions import QuestionView, WordingView
from arena.domain.terms import JsonObject
from arena.evaluations.domain.schemas.evaluations import EvaluationProgressView
from arena.evaluations.domain.terms import ConversionState, ReviewDecision

TEAM: Final = r"^[^\W_][\w -]*$|^$"
"""Name of a team of annotators: letters, digits, spaces and dashes."""
TEAM_LIMIT: Final = 24
Reviewer = Annotated[str, Field(min_length=1, max_length=80)]


class DraftRequest(Wire):
    """A new evaluation: `content` is text, or the file named `file` in base64; models are given by name."""

    name: str = Field(max_length=80)
    content: str
    file: str | None = Field(default=None, max_length=200)
    models: list[str] = Field(max_length=100)
    protocol: str = Field(default="pairwise", max_length=40)
    per_item: int = Field(default=3, ge=1, le=100)
    public: bool = False


class DuplicateView(Wire):
    """A question that was left out: its line, and that of the same question before it."""

    line: int
    repeats: int


class RefusedRowView(Wire):
    """A row of a file that cannot be used: its line and the reason, with parameters where that has a rule."""

    line: int
    reason: str
    params: JsonObject | None = None


class DraftView(EvaluationProgressView):
    """A new evaluation, the questions that were left out as repeats, and why other rows of its file were refused.

    `refused` has the reasons as sentences, and last the number of further rows; `refused_rows` has them by line and
    rule. `same_text` has the lines of questions whose text another one has too, under another id; they are kept.
    `unused` has the columns of its file that were not used, `beginning` its first questions, and `multiple_choice` is
    the number of those that a key can score, if models are asked.
    """

    duplicates: list[DuplicateView]
    refused: list[str]
    refused_rows: list[RefusedRowView] = Field(default=[])
    same_text: list[int] = Field(default=[])
    unused: list[str] = Field(default=[])
    beginning: list[QuestionView] = Field(default=[])
    multiple_choice: int = 0


class CandidateView(Wire):
    """An active model, or a configuration of one, for evaluations.

    It can be asked once it is `allowed`: by its `owner`, or by an operator. `billed` says that the owner pays for the
    calls: one who has an account here, and whose key it is. `endpoint` is the number of the model, `model` its name at
    a configuration.
    """

    name: str
    configuration: bool
    practice: bool
    allowed: bool
    owner: str
    billed: bool
    endpoint: int
    model: str | None = None


class OpeningRequest(Wire):
    """The opening of an evaluation; with `partial` answers may be missing."""

    partial: bool = False


class InvitationRequest(Wire):
    """Number of people to invite, base URL of their links, and areas whose questions they get (empty: all)."""

    number: int = Field(ge=1, le=100)
    address: str = Field(pattern=r"^https?://[A-Za-z0-9.:\[\]-]+$", max_length=200)
    reviewer: bool = False
    team: str = Field(default="", max_length=TEAM_LIMIT, pattern=TEAM)
    hints: bool = True
    areas: list[str] = Field(default_factory=list, max_length=100)


class InvitationView(Wire):
    """The secret link of one person, shown only once, and its QR code as an SVG data URI."""

    annotator: str
    link: str
    qr: str


class AnnotatorStateView(Wire):
    """One annotator as operators see them; many `networks` in few days suggest that the link was passed on."""

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
    """The end of an evaluation; with `incomplete` answers or annotations may be missing."""

    publish: bool = False
    incomplete: bool = False


class LinkView(Wire):
    """The secret of an annotator's link."""

    link: str


class ConversionView(Wire):
    """A converted question: the open one, the closed one if the text could be read, and the state of its reviews."""

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
    """The next converted question for a reviewer, if there is one, and the number of questions in each state."""

    item: ConversionView | None
    states: dict[str, int]


class ReviewRequest(Wire):
    """A review: an amendment has the whole new wording, a rejection its reason as `remark`."""

    reviewer: Reviewer
    verdict: ReviewDecision
    wording: WordingView | None = None
    remark: str = Field(default="", max_length=1000)
