"""Reports of evaluations: boards, scores, agreement and figures, a table of each."""

from __future__ import annotations

from datetime import date
from typing import Final

from pydantic import Field

from arena.domain.schemas.base import Figure, Wire
from arena.domain.schemas.leaderboard import PairView
from arena.evaluations.domain.schemas.evaluations import EvaluationView
from arena.evaluations.domain.schemas.figures import FigureView
from arena.evaluations.domain.schemas.judges import LengthView
from arena.evaluations.domain.terms import VerdictState


class ComparedModelView(Wire):
    """Row of a model on a board of comparisons: Bradley-Terry, Elo by two presets, points and rates.

    `elo_settled`: Elo by the first preset has at most 5 % of its way from the start left.
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
    """Mean score of a model on a criterion in an area, an empty area meaning all; `most` is the highest score."""

    model: str
    form: str
    criterion: str
    area: str
    mean: float
    most: int
    scores: int


class TotalView(Wire):
    """Total of a model after LLMEval-2: mean over areas of the points reached, in per cent of the highest possible."""

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
    """Mean share of agreeing pairs of annotators over the items of an area (TencentLLMEval).

    With several criteria two annotators agree if all their scores of an answer are equal.
    """

    area: str
    agreement: float | None


class AnnotatorView(Wire):
    """Statistics of one annotator; they exclude nobody.

    `consistency` is the share of the most frequent answer among the `repeats`, which count answers to items that the
    person judged more than once: of two attempts ½ if they differ (LLMEval). `wrong` of the `judged` answers contradict
    a consensus, `lean` is the share of left minus that of right wins, `doubtful` marks answers that fit a random
    clicker better than the other annotators.
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
    """Comparisons of a model with the baseline in an area, an empty one meaning all, by the majority of annotators.

    Without a majority an item is a tie. `share` is that of wins and ties, with a 95 % interval.
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
    """Accuracy of a model on closed questions of a category, an empty one meaning all.

    `share` is that of right choices, with a 95 % interval. `unreadable` answers count as wrong; from `loose` ones a
    letter that stands alone was read.
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
    """Difference between the best and the worst of `models` by a criterion in an area; empty names mean all."""

    criterion: str
    area: str
    difference: float
    best: str
    worst: str
    models: int


class PositionView(Wire):
    """Position bias: how often a letter was right (`keys`) and chosen, and `share`, the accuracy where it was right.

    Without a bias, `chosen` is near `keys` for every letter, and the shares are equal. `preferred`: more of the wrong
    choices fell on this letter than chance allows (95 % over all letters of the model).
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
    """Comparisons of two models: `share` that the first one wins, a tie counting half, with a 95 % interval.

    The interval allows for judgements of one item, or of one person, being dependent. `significant`: one of
    them is better, by a rule that errs in at most 5 % over all looks at a growing report, so not wherever the interval
    excludes ½, and never below 20 questions. `more`: further judgements for that at the same share, 0 if significant,
    None if the share is ½ or if they do not tell without further questions: about `more_questions`, or where the pair
    has fewer than 20, `missing_questions` more at least. `independent` is the number of judgements divided by their
    design effect, on `items` of all `questions`; `between` is the part of their variance that is between questions.
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
    independent: float = 0.0
    items: int = 0
    missing_questions: int = 0
    more_questions: int | None = None
    questions: int = 0
    between: float = 0.0


class VerdictView(Wire):
    """Whether a model is not worse than another (`against`) by more than `margin` points, set before judging.

    `share` of the comparisons it wins, a tie counting half, with its 95 % interval at one look, and the same in points,
    None where that is infinite; `state` holds at all looks. `more`: further judgements for a verdict at the same share;
    None if no number is known, as where a verdict needs about `more_questions`, or at least `missing_questions`, more
    questions. `by_people` is false if models alone have judged. Costs are US dollars per 1,000 answers by prices of
    `priced_on`, seconds the median of an answer, both of the questions that both have answered; `cheaper` and `faster`
    are the saved parts, negative if it needs more. `failed` of `answers` and `failed_against` of `answers_against`
    failed.
    """

    model: str
    against: str
    state: VerdictState
    margin: float
    share: float
    low: float
    high: float
    points: float | None
    points_low: float | None
    points_high: float | None
    more: int | None
    missing_questions: int = 0
    more_questions: int | None = None
    by_people: bool
    cheaper: float | None
    cost: float | None
    cost_against: float | None
    priced_on: date | None
    faster: float | None
    seconds: float | None
    seconds_against: float | None
    answers: int
    failed: int
    answers_against: int
    failed_against: int


class LogScoreView(Wire):
    """Mean of a scorer's scores of a model's answers in a log, with a 95 % interval."""

    scorer: str
    model: str
    answers: int
    mean: float
    low: Figure
    high: Figure


class LogAgreementView(Wire):
    """How often people prefer the answer that a log scores higher, with a 95 % interval.

    `items` have different scores in the log and a side that more people prefer; `undecided` are the other judged ones.
    """

    scorer: str
    items: int
    undecided: int
    agreement: Figure
    low: Figure
    high: Figure


class NeighbourView(Wire):
    """Two models in adjacent ranks: `z` is their difference in standard errors, which are larger for few answers.

    `tie`: the order is not a claim that holds at all looks at a growing report (95 %); none is below 300 annotations or
    20 questions. `more`: further annotations of the whole evaluation, distributed as before, for a claim at the same
    difference; 0 if it is one, None if both are equal or if it takes `more_questions` further questions, at least where
    there are fewer than 20.
    """

    first: str
    second: str
    difference: float
    z: float
    tie: bool
    more: int | None
    more_questions: int | None = None


EXCLUSIONS: Final = {
    "consistency": "consistency {share} over {answers} answers, below {limit}",
    "right": "{share} of {answers} answers as the others, below {limit}",
    "random": "answers like a random clicker",
    "lists": "on both lists of TencentLLMEval: wrong on overlap questions, and leaning to one side",
}
"""Sentences of the reasons for which annotators are left out by themselves, by rule."""


class UnjudgedView(Wire):
    """A model that takes part and of which nobody has judged an answer yet."""

    model: str


class LeftOutView(Wire):
    """An annotator whose annotations were withdrawn, the reason, and their number."""

    label: str
    reason: str
    annotations: int


class TeamView(Wire):
    """A team of annotators: means and minima over its people with five annotations or more; `few` have fewer.

    `accuracy` is LLMEval's for scores, or the share of outcomes that no consensus contradicts.
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
    """Two teams on the items that both have judged, by a criterion, an empty one meaning outcomes.

    `higher` is (mean_b - mean_a) / mean_a; `apart_2` is the share of items whose means differ by 2 or more, and so on;
    `spearman` correlates the scores of `models` models, with its p-value.
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


class SourceView(Wire):
    """A model in per cent of the possible points by people, by judges, and by judges corrected by people.

    Intervals have 95 %, by item and rater. `weight` is the part that judges have in the correction, `items` the items
    of the model that both have judged.
    """

    model: str
    people: float | None
    people_low: float | None
    people_high: float | None
    judges: float | None
    judges_low: float | None
    judges_high: float | None
    corrected: float | None
    corrected_low: float | None
    corrected_high: float | None
    weight: float
    items: int


class LikelihoodView(Wire):
    """Mean correlation of a model's likelihoods with votes over the questions of a topic, an empty one meaning all.

    `correlation` is Pearson's, `ranked` Spearman's. `undefined` counts questions without a correlation.
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


class BaseView(Wire):
    """A model beside its base, before tuning, by likelihood (HumanRankEval's figure 10).

    `difference` is the mean over the questions that both have a correlation for, with its 95 % interval over questions;
    ranks are among all models of the evaluation.
    """

    model: str
    base: str
    questions: int
    correlation: float
    base_correlation: float
    difference: float
    low: float | None
    high: float | None
    rank: int
    base_rank: int


class EvaluationReportView(Wire):
    """All tables of an evaluation; `board_before` and `totals_before` include the annotators in `left_out`.

    Where people and judges (the team `model`) have both judged, `sources` has both, and all tables but those of
    annotators and teams are of people alone. `few_raters`: no score has a third rater, so accuracy counts every
    difference as wrong for both raters.
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
    verdicts: list[VerdictView] = Field(default_factory=list[VerdictView])
    log_scores: list[LogScoreView] = Field(default_factory=list["LogScoreView"])
    log_agreement: list[LogAgreementView] = Field(default_factory=list["LogAgreementView"])
    neighbours: list[NeighbourView] = Field(default_factory=list[NeighbourView])
    sources: list[SourceView] = Field(default_factory=list["SourceView"])
    teams: list[TeamView] = Field(default_factory=list["TeamView"])
    team_pairs: list[TeamPairView] = Field(default_factory=list["TeamPairView"])
    lengths: list[LengthView] = Field(default_factory=list[LengthView])
    few_raters: bool = False
    unjudged: list[UnjudgedView] = Field(default_factory=list["UnjudgedView"])
    left_out: list[LeftOutView] = Field(default_factory=list[LeftOutView])
    board_before: list[ComparedModelView] = Field(default_factory=list[ComparedModelView])
    totals_before: list[TotalView] = Field(default_factory=list[TotalView])
    choices: list[ChoiceView] = Field(default_factory=list["ChoiceView"])
    likelihoods: list[LikelihoodView] = Field(default_factory=list["LikelihoodView"])
    variance: list[VarianceView] = Field(default_factory=list[VarianceView])
    bases: list[BaseView] = Field(default_factory=list[BaseView])
    positions: list[PositionView] = Field(default_factory=list["PositionView"])
    spreads: list[SpreadView] = Field(default_factory=list["SpreadView"])
    figures: list[FigureView] = Field(default_factory=list[FigureView])

    @property
    def least_difference(self) -> float:
        """Least difference of neighbours that a report shows: ratings have whole points, scores three digits."""
        return 0.5 if self.board else 0.0005

    @property
    def equal_leaders(self) -> list[str]:
        """The neighbours that share the first place, as far as a report shows; none if one model is first alone."""
        leaders = [pair.first for pair in self.neighbours[:1]]
        for pair in self.neighbours:
            if pair.first != leaders[-1] or abs(pair.difference) >= self.least_difference or not pair.tie:
                break
            leaders.append(pair.second)
        return leaders if len(leaders) > 1 else []

    @property
    def has_several_criteria(self) -> bool:
        """Whether a judgement is several scores, all of which have to be equal for two judgements to agree."""
        return len({row.criterion for row in self.criteria}) > 1


class EvaluationDetailView(EvaluationView):
    """An evaluation with its report, once it is closed."""

    models: list[str]
    report: EvaluationReportView | None
