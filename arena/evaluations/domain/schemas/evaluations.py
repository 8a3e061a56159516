"""Protocols of evaluations, as their data files have them and pages show them; texts by language."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pydantic import Field, StrictInt, StrictStr

from arena.domain.schemas.base import Wire
from arena.evaluations.domain.terms import Design, EvaluationState, ScoredBy

TEAM: Final = r"^[^\W_][\w -]*$|^$"
"""Name of a team of annotators: letters, digits, spaces and dashes."""
TEAM_LIMIT: Final = 24
Texts = dict[str, str]
"""One text by the code of its language."""


class ScoredCriterionView(Wire):
    """One thing that is scored, from `low` to `high` points."""

    id: str
    low: int
    high: int
    name: Texts
    text: Texts


class FormView(Wire):
    """The criteria of one kind of question; `needs_reference` if nobody could judge without a right answer."""

    name: str
    needs_reference: bool
    criteria: list[ScoredCriterionView]


class GuidelineView(Wire):
    """One thing to look at, in order of priority; it is not scored."""

    id: str
    name: Texts
    text: Texts


class ProtocolView(Wire):
    """A way to judge answers: two side by side, or one by criteria, which differ between its forms.

    Without people, `scored_by` is the `key` of closed questions, or the `votes` that given answers have.
    """

    name: str
    pairwise: bool
    scored_by: ScoredBy = ScoredBy.PEOPLE
    forms: list[FormView]
    guide: list[GuidelineView]


class ItemView(Wire):
    """One item as an annotator sees it: the prompts, and the answers to them by side, without any name."""

    number: int
    form: str
    prompts: list[str]
    reference: str | None
    answers: list[list[str]]


class AnnotatingView(Wire):
    """The items that an annotator has now, the next ones behind the first, and how far they have come.

    `left` is counted up to 1,000 beyond these.
    """

    evaluation: str
    protocol: ProtocolView
    reviewer: bool
    done: int
    left: int
    undo_seconds: float
    items: list[ItemView]


class AnnotationRequest(Wire):
    """An annotation: `outcome`, or points by criterion; `milliseconds` is how long it took."""

    said: dict[str, StrictStr | StrictInt] = Field(max_length=20)
    milliseconds: StrictInt | None = Field(default=None, ge=0, lt=2**31)


class EvaluationView(Wire):
    """An evaluation as everybody may see it; its models are named once it is closed.

    `design` is which models meet, `repeats` the share of items that are asked again, each up to `attempts` times. Below
    `least_consistency`, the share of these answered alike, or `least_right`, that of answers as the others, an
    annotator is left out.
    """

    name: str
    state: EvaluationState
    protocol: str
    design: Design
    per_item: int
    overlap: int
    repeats: float
    attempts: int = 2
    least_consistency: float | None
    least_right: float | None
    questions: int
    items: int
    annotations: int
    needed: int
    public: bool
    digest: str | None
    created_at: datetime
    closed_at: datetime | None


class EvaluationChangeRequest(Wire):
    """Settings of an evaluation that still can change: the design in a draft, thresholds until it is closed.

    What is not given stays; a threshold of 0 is none.
    """

    design: str | None = Field(default=None, max_length=40)
    least_consistency: float | None = Field(default=None, ge=0, le=1)
    least_right: float | None = Field(default=None, ge=0, le=1)


class ModelProgressView(Wire):
    """Questions that a model has answered and failed to answer, with its faults and their numbers.

    `tokens` are those of prompts and answers, `cost` what they cost in US dollars by the prices that are stated, None
    where none are. `stopped` is why the last run asked it no more.
    """

    name: str
    answered: int
    failed: int
    faults: dict[str, int]
    endpoint: bool
    tokens: int = 0
    cost: float | None = None
    stopped: str | None = None


class EvaluationProgressView(EvaluationView):
    """An evaluation with its set of questions and the progress of its models, as whoever runs the arena sees it.

    Of a draft `needed` is what it will need once it is open. `person_days` is how long one person takes for the
    annotations that are missing, at 300 a day.
    """

    set: str
    person_days: float = 0.0
    models: list[ModelProgressView]
    running: bool = False


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
    """One annotator for whoever runs the evaluation."""

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
