"""Protocols of evaluations, as their data files have them and pages show them; texts by language."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from pydantic import Field, StrictInt, StrictStr

from arena.domain.schemas.base import Figure, Wire
from arena.domain.schemas.leaderboard import PairView
from arena.evaluations.domain.schemas.figures import FigureView
from arena.evaluations.domain.schemas.judges import LengthView
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


class ComparedModelView(Wire):
    """A model's row where answers were compared: Bradley-Terry, Elo by two presets, points and rates.

    `elo_settled` is whether Elo by the first preset has no more than 5 % of its way from the start left.
    """

    name: str
    rank: int
    rank_low: int
    rank_high: int
    bt: float | None
    bt_low: float | None
    bt_high: float | None
    elo: float
    elo_error: float
    elo_settled: bool | None = None
    elo_in_order: float
    points: float
    points_per_battle: float
    win_rate: float
    battles: int
    wins: int
    draws: int
    losses: int
    both_bad: int


class CriterionView(Wire):
    """A model's mean score on a criterion, over an area or, with an empty area, over all."""

    model: str
    form: str
    criterion: str
    area: str
    mean: float
    most: int
    scores: int


class TotalView(Wire):
    """A model's total as LLMEval-2 has it: the mean over areas of the points reached, in per cent of those possible."""

    model: str
    percent: float


class AgreementView(Wire):
    """A coefficient of agreement with its 95 % interval; `criterion` is empty for outcomes."""

    criterion: str
    method: str
    value: float | None
    low: float | None
    high: float | None
    items: int


class AreaView(Wire):
    """Mean share of agreeing pairs of annotators over the items of an area (TencentLLMEval)."""

    area: str
    agreement: float | None


class AnnotatorView(Wire):
    """Figures of one annotator; they advise and exclude nobody.

    `consistency` is over hidden repeats, `wrong` counts answers against a consensus of the others, `lean` is the share
    of left minus right wins, `doubtful` marks who answers rather like a random clicker.
    """

    label: str
    annotations: int
    skipped: int
    repeats: int
    consistency: float | None
    judged: int
    wrong: int
    accuracy: float | None
    agreement: float | None
    lean: float | None
    doubtful: bool
    median_seconds: float | None


class BaselineView(Wire):
    """Comparisons of a model with the baseline in an area, or in all where its name is empty, by what most people said.

    Where no word has the majority it is a tie. `share` is that of wins and ties, with a 95 % interval.
    """

    model: str
    baseline: str
    area: str
    wins: int
    ties: int
    losses: int
    share: Figure
    low: Figure
    high: Figure


class ChoiceView(Wire):
    """Right choices of a model among closed questions of a category, or of all where its name is empty.

    `share` is that of right ones, with a 95 % interval. `unreadable` answers choose nothing and count as wrong; of
    `loose` ones only a letter that stands alone was read.
    """

    model: str
    category: str
    questions: int
    right: int
    share: Figure
    low: Figure
    high: Figure
    unreadable: int
    loose: int


class SpreadView(Wire):
    """How far the best and the worst of `models` are apart by a criterion, or by all, in an area, or in all."""

    criterion: str
    area: str
    difference: float
    best: str
    worst: str
    models: int


class PositionView(Wire):
    """How often a letter was the right one, how often a model chose it, and its share of right choices there.

    Without a bias for positions, `chosen` is near `keys` for every letter, and the shares are alike. `preferred` says
    that more of its wrong choices fell on this letter than chance lets them (95 % over all letters of the model).
    """

    model: str
    letter: str
    keys: int
    chosen: int
    share: Figure
    low: Figure
    high: Figure
    preferred: bool = False


class DuelView(Wire):
    """Comparisons of two models: `share` is that which the first one wins, a tie counting half, with a 95 % interval.

    The interval knows that judgements of one item, or of one person, depend on each other. `told` is whether it leaves
    ½ out; `more` is how many more judgements would tell in four of five cases, if the share stays, 0 where it is told,
    None where it is even.
    """

    first: str
    second: str
    judgements: int
    wins: int
    ties: int
    losses: int
    share: float
    low: float
    high: float
    significant: bool
    more: int | None


class LogScoreView(Wire):
    """A model's mean of the scores that a log has by a scorer, with a 95 % interval over its answers."""

    scorer: str
    model: str
    answers: int
    mean: float
    low: Figure
    high: Figure


class LogAgreementView(Wire):
    """How often people prefer the answer that a log scores higher, with a 95 % interval.

    `items` are those on which both decide: the log's scores differ, and most people prefer one answer. `undecided` are
    the judged ones on which one of them does not.
    """

    scorer: str
    items: int
    undecided: int
    agreement: Figure
    low: Figure
    high: Figure


class NeighbourView(Wire):
    """Two models that stand next to each other: `z` is their distance in standard errors.

    `tie` is whether 95 % confidence cannot tell their order; `more` is how many more annotations of the whole
    evaluation, shared out as until now, would tell it in four of five cases, 0 where it is known, None where both are
    equal.
    """

    first: str
    second: str
    difference: float
    z: float
    tie: bool
    more: int | None


class LeftOutView(Wire):
    """An annotator whose annotations were withdrawn: how many, and why."""

    label: str
    reason: str
    annotations: int


class TeamView(Wire):
    """A team of annotators: means and least values over its people with five annotations or more; `few` have fewer.

    `accuracy` is LLMEval's of scores, or the share of outcomes that no consensus of the others contradicts.
    """

    team: str
    people: int
    few: int
    annotations: int
    accuracy: float | None
    least_accuracy: float | None
    consistency: float | None
    least_consistency: float | None


class TeamPairView(Wire):
    """Two teams on the items that both have judged, by a criterion, or by outcomes where its name is empty.

    `higher` is how much higher the mean of b is, as a part of that of a; `apart_2` is the share of items whose means
    differ by 2 or more, and so on; `spearman` correlates the scores of the models, with its p-value.
    """

    team_a: str
    team_b: str
    criterion: str
    items: int
    mean_a: float
    mean_b: float
    higher: float | None
    apart_1: float
    apart_2: float
    apart_3: float
    apart_4: float
    spearman: float | None
    p: float | None
    models: int


class LikelihoodView(Wire):
    """Mean correlation of a model's likelihoods with votes over the questions of a topic, or over all if it is empty.

    It is Pearson's, `ranked` Spearman's. `undefined` counts questions without a correlation.
    """

    model: str
    topic: str
    correlation: float | None
    ranked: float | None = None
    questions: int
    undefined: int


class EvaluationReportView(Wire):
    """All tables of an evaluation; those `before` count also whoever was left out.

    `few_raters` says that scores have two raters at most, so that accuracy calls every difference wrong for both.
    """

    name: str
    protocol: str
    annotations: int
    skipped: int
    board: list[ComparedModelView]
    pairs: list[PairView]
    criteria: list[CriterionView]
    totals: list[TotalView]
    agreement: list[AgreementView]
    areas: list[AreaView]
    annotators: list[AnnotatorView]
    against_baseline: list[BaselineView] = Field(default_factory=list["BaselineView"])
    duels: list[DuelView] = Field(default_factory=list[DuelView])
    log_scores: list[LogScoreView] = Field(default_factory=list["LogScoreView"])
    log_agreement: list[LogAgreementView] = Field(default_factory=list["LogAgreementView"])
    neighbours: list[NeighbourView] = Field(default_factory=list[NeighbourView])
    teams: list[TeamView] = Field(default_factory=list["TeamView"])
    team_pairs: list[TeamPairView] = Field(default_factory=list["TeamPairView"])
    lengths: list[LengthView] = Field(default_factory=list[LengthView])
    few_raters: bool = False
    left_out: list[LeftOutView] = Field(default_factory=list[LeftOutView])
    board_before: list[ComparedModelView] = Field(default_factory=list[ComparedModelView])
    totals_before: list[TotalView] = Field(default_factory=list[TotalView])
    choices: list[ChoiceView] = Field(default_factory=list["ChoiceView"])
    likelihoods: list[LikelihoodView] = Field(default_factory=list["LikelihoodView"])
    positions: list[PositionView] = Field(default_factory=list["PositionView"])
    spreads: list[SpreadView] = Field(default_factory=list["SpreadView"])
    figures: list[FigureView] = Field(default_factory=list[FigureView])


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

    `design` is which models meet, `repeats` the share of items that are asked again. Below `least_consistency`, the
    share of these answered alike, or `least_right`, that of answers as the others, an annotator is left out.
    """

    name: str
    state: EvaluationState
    protocol: str
    design: Design
    per_item: int
    overlap: int
    repeats: float
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


class EvaluationDetailView(EvaluationView):
    """An evaluation with its report, once it is closed."""

    models: list[str]
    report: EvaluationReportView | None


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
