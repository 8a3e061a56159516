"""Reports of evaluations: boards, scores, agreement and figures, a table of each."""

from __future__ import annotations

from pydantic import Field

from arena.domain.schemas.base import Figure, Wire
from arena.domain.schemas.leaderboard import PairView
from arena.evaluations.domain.schemas.evaluations import EvaluationView
from arena.evaluations.domain.schemas.figures import FigureView
from arena.evaluations.domain.schemas.judges import LengthView


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
    """Two models that stand next to each other: `z` is their distance in standard errors, which few answers enlarge.

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


class VarianceView(Wire):
    """Analysis of variance of the questions' correlations between models: F, its degrees of freedom, its p-value."""

    f: float
    between: int
    within: int
    p: float


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
    variance: list[VarianceView] = Field(default_factory=list[VarianceView])
    positions: list[PositionView] = Field(default_factory=list["PositionView"])
    spreads: list[SpreadView] = Field(default_factory=list["SpreadView"])
    figures: list[FigureView] = Field(default_factory=list[FigureView])


class EvaluationDetailView(EvaluationView):
    """An evaluation with its report, once it is closed."""

    models: list[str]
    report: EvaluationReportView | None
