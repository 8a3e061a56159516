"""Protocols of evaluations as their files have them, what annotators get and send, and evaluations with progress."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field, StrictInt, StrictStr

from arena.domain.schemas.base import Wire
from arena.evaluations.domain.terms import Design, EvaluationState, ScoredBy

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
