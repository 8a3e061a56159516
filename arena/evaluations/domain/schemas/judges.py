"""Reports on judges: their decisions, and their agreement with people."""

from __future__ import annotations

from typing import Final

from pydantic import Field

from arena.domain.schemas.base import Figure, Wire
from arena.domain.terms import Outcome
from arena.evaluations.domain.schemas.figures import FigureView
from arena.evaluations.domain.terms import Relation

LEAST_PAIRS: Final = 10
"""Fewest pairs by which a judge is called usable or not."""


class EstimateView(Wire):
    """An estimate from `n` observations with its 95 % interval; null where it is not defined."""

    value: Figure
    low: Figure
    high: Figure
    n: int


class JudgeAgreementView(Wire):
    """Agreement with the majority of people in an area, an empty one meaning all.

    `people` is the share of pairs of people who agree with each other, `difference` is `raw` / `people` - 1, and
    `usable` whether that is at least -30 % (TencentLLMEval, table 3).
    """

    area: str
    raw: EstimateView
    kappa: EstimateView
    ac1: EstimateView
    people: Figure = None
    difference: Figure = None
    usable: bool | None = None


class LengthView(Wire):
    """Wins, ties and losses of the longer answer in pairs that differ by at least `least` characters.

    `share` is that of its wins.
    """

    least: int
    longer: int
    tie: int
    shorter: int
    share: Figure = None


class JudgedModelView(Wire):
    """Results of a model by one judge.

    `first_turn`, `later_turns` and `all_turns` are shares of wins and ties, as SuperCLUE's OPEN has them; `rating` is
    Bradley-Terry's, and `rating_at_length` the same with the effect of length removed.
    """

    name: str
    pairs: int
    wins: int
    ties: int
    losses: int
    first_turn: EstimateView
    later_turns: EstimateView
    all_turns: EstimateView
    rating: Figure
    rating_at_length: Figure


class ScoredModelView(Wire):
    """A model's mean score by a criterion of a judge of single answers, at best `most`, with its 95 % interval."""

    name: str
    criterion: str
    mean: EstimateView
    most: int


class EarlyModelView(Wire):
    """A model's share of points by people and a judge, with its 95 % interval, and its simultaneous 95 % rank set.

    `people_low` to `people_high` is the rank set by the same answers of people alone.
    """

    name: str
    score: EstimateView
    rank_low: int
    rank_high: int
    people_low: int
    people_high: int


class EarlyRanksView(Wire):
    """Ranks by prediction-powered inference, which enter no board.

    They use `people` pairs that people have judged, and `judged` further pairs by the judge alone, whose judgements
    have `weight`, from 0 to 1.
    """

    people: int
    judged: int
    weight: float
    models: list[EarlyModelView]


class LostView(Wire):
    """Number of judgements about a model, and of those without a readable verdict."""

    name: str
    judgements: int
    unreadable: int


class RelatedModelView(Wire):
    """A model that a judge does not judge, as it may favour it, and the reason."""

    name: str
    relation: Relation


class JudgeView(Wire):
    """One judge by one version of a rubric, or the panel of all judges by it.

    `flips` is the share of pairs whose outcome depends on the order, `shown_first` the share of preferences for the
    first answer shown, `tokens` the mean of a judgement, `cost` that of 1,000 judgements in US dollars.

    `pearson` correlates, over models, its shares of wins and ties in all turns with those by the majority of people,
    `p` is the two-sided p-value (SuperCLUE, figure 6); `spearman` is the same by ranks. `figures` are these shares by
    turn and area.

    If more than 5 % of its judgements are unreadable, `lost` has the models that these are about, and `missing` the
    outcomes that no readable one has, if there are readable ones.

    `related` are the models of which it has judged nothing, as it may favour them.

    `early` are ranks by people and this judge together, if it has judged pairs that people have not.

    A judge of single answers has `scores`; its pairs are all answers to a question, compared by their scores.
    """

    judge: str
    rubric: str
    version: int
    judgements: int
    unreadable: int
    pairs: int
    flips: EstimateView
    shown_first: EstimateView
    tokens: float | None
    cost: float | None = None
    agreement: list[JudgeAgreementView] = Field(default_factory=list["JudgeAgreementView"])
    lengths: list[LengthView]
    models: list[JudgedModelView]
    lost: list[LostView] = Field(default_factory=list["LostView"])
    missing: list[Outcome] = Field(default_factory=list["Outcome"])
    scores: list[ScoredModelView] = Field(default_factory=list["ScoredModelView"])
    pearson: Figure = None
    spearman: Figure = None
    p: Figure = None
    figures: list[FigureView] = Field(default_factory=list[FigureView])
    early: EarlyRanksView | None = None
    related: list[RelatedModelView] = Field(default_factory=list[RelatedModelView])

    @property
    def is_one_sided(self) -> bool:
        """Whether the order has decided every pair, so that all are ties, which may be what people say too."""
        return self.flips.value == 1

    def is_usable(self, row: JudgeAgreementView) -> bool | None:
        """Whether a row of its agreement says so; None below `LEAST_PAIRS` pairs, never for a one-sided judge."""
        return None if row.raw.n < LEAST_PAIRS else row.usable and not self.is_one_sided


class JudgesView(Wire):
    """All judges of an evaluation; a judgement is neither a vote nor an annotation.

    `people` has the same figures for the majority of people on the judged pairs; None without their annotations.
    """

    evaluation: str
    judges: list[JudgeView]
    people: JudgeView | None = None
