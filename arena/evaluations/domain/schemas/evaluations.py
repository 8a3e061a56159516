"""Protocols of evaluations as in their files, messages of annotators, and evaluations with progress."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field, StrictInt, StrictStr

from arena.domain.schemas.base import Wire
from arena.domain.schemas.battles import is_missing
from arena.evaluations.domain.terms import REPEAT_DISTANCE, Design, EvaluationState, ScoredBy

Texts = dict[str, str]
"""One text by the code of its language."""


class ScoredCriterionView(Wire):
    """A criterion that is scored from `low` to `high` points."""

    id: str
    low: int
    high: int
    name: Texts
    text: Texts


class FormView(Wire):
    """The criteria of one kind of question; with `needs_reference` a question needs a right answer to be judged."""

    name: str
    needs_reference: bool
    criteria: list[ScoredCriterionView]


class GuidelineView(Wire):
    """An aspect for annotators to consider, in order of priority; it is not scored."""

    id: str
    name: Texts
    text: Texts


class ProtocolView(Wire):
    """A way to judge answers: two side by side, or one by the criteria of a form.

    `scored_by` is `people`, the `key` of closed questions, or the `votes` on answers that come with a question.
    """

    name: str
    pairwise: bool
    scored_by: ScoredBy = ScoredBy.PEOPLE
    forms: list[FormView]
    guide: list[GuidelineView]


class ItemView(Wire):
    """One item as an annotator sees it: the prompts, and the answers to them by side, without model names.

    `html` and `reference_html` have answers and reference as safe HTML if it was asked for.
    """

    number: int
    form: str
    prompts: list[str]
    reference: str | None
    answers: list[list[str]]
    html: list[list[str]] | None = Field(default=None, exclude_if=is_missing)
    reference_html: str | None = Field(default=None, exclude_if=is_missing)


class AnnotatingView(Wire):
    """The items that an annotator has now, the current one first, and their progress.

    `left` counts these and up to 1,000 more that they can get.
    """

    evaluation: str
    protocol: ProtocolView
    reviewer: bool
    done: int
    left: int
    undo_seconds: float
    items: list[ItemView]


class AnnotationRequest(Wire):
    """An annotation: `said` has `outcome`, or points by criterion; `milliseconds` is how long it took."""

    said: dict[str, StrictStr | StrictInt] = Field(max_length=20)
    milliseconds: StrictInt | None = Field(default=None, ge=0, lt=2**31)


class EvaluationView(Wire):
    """An evaluation as everybody may see it; its models are named once it is closed.

    `design` is which models are compared, `repeats` the share of hidden repeats, which come `repeat_distance` items
    later at the earliest, `attempts` how often an annotator gets an item at most. Annotators are left out below
    `least_consistency`, the share of their most frequent answer among repeats, or `least_right`, the share of answers
    that no consensus contradicts. Of the `needed` annotations so many are `done`; hidden repeats and what
    an item has beyond its need are in `annotations` alone. `waiting` items are for a reviewer, as the annotators
    disagree, and none has judged them. `published` tells whether everybody can read its report, and `judged` whether
    people judge the answers.
    """

    name: str
    state: EvaluationState
    protocol: str
    design: Design
    per_item: int
    overlap: int
    repeats: float
    repeat_distance: int = REPEAT_DISTANCE
    attempts: int = 2
    least_consistency: float | None
    least_right: float | None
    questions: int
    items: int
    annotations: int
    needed: int
    done: int = 0
    waiting: int = 0
    public: bool
    digest: str | None
    created_at: datetime
    closed_at: datetime | None
    published: bool = False
    judged: bool = True


class EvaluationChangeRequest(Wire):
    """Settings of an evaluation that can change: the design in a draft, thresholds until it is closed.

    None keeps a setting; a threshold of 0 removes it.
    """

    design: str | None = Field(default=None, max_length=40)
    least_consistency: float | None = Field(default=None, ge=0, le=1)
    least_right: float | None = Field(default=None, ge=0, le=1)


class ModelProgressView(Wire):
    """Numbers of questions that a model has answered and failed to answer, and of its faults by kind.

    `tokens` are those of prompts and answers, `cost` their price in US dollars, None without stated prices. `stopped`
    is why the last run stopped asking it, unless the model is active or allowed again since. `problems` has for each
    kind of fault the code and sentence of a model's test with their parameters. `model` is the name of the model whose
    configuration it is.
    """

    name: str
    answered: int
    failed: int
    faults: dict[str, int]
    endpoint: bool
    tokens: int = 0
    cost: float | None = None
    stopped: str | None = None
    problems: list[dict[str, str]] = Field(default=[])
    model: str | None = None


class EvaluationProgressView(EvaluationView):
    """An evaluation with its set of questions and the progress of its models, for operators.

    In a draft, `needed` is the number of annotations that it will need once it is open, and `openable` says that an
    item has its answers, so that it can be opened. `deletable` says that it holds nothing yet. `person_days` is the
    work of one person on the missing annotations, at 300 a day.
    """

    set: str
    person_days: float = 0.0
    openable: bool = False
    deletable: bool = False
    models: list[ModelProgressView]
    running: bool = False
