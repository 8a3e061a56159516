"""Facts about judges: how they decide, and how far people agree."""

from __future__ import annotations

from pydantic import Field

from arena.domain.schemas.base import Figure, Wire
from arena.domain.terms import Outcome
from arena.evaluations.domain.schemas.figures import FigureView


class EstimateView(Wire):
    """A figure with its 95 % interval and the number of things it rests on; empty where it is not defined."""

    value: Figure
    low: Figure
    high: Figure
    n: int


class JudgeAgreementView(Wire):
    """Agreement with the majority of people in an area, or in all where its name is empty.

    `people` is the share of pairs of people who agree with each other there, `difference` how far `raw` lies from that
    as a part of it, and `usable` whether it is at most 30 % lower (TencentLLMEval, table 3).
    """

    area: str
    raw: EstimateView
    kappa: EstimateView
    ac1: EstimateView
    people: Figure = None
    difference: Figure = None
    usable: bool | None = None


class LengthView(Wire):
    """Among pairs that differ by `least` characters or more: how often the longer answer won, tied and lost.

    `share` is that of its wins.
    """

    least: int
    longer: int
    tie: int
    shorter: int
    share: Figure = None


class JudgedModelView(Wire):
    """A model as a judge sees it.

    `first_turn`, `later_turns` and `all_turns` are shares of wins and ties, as SuperCLUE's OPEN has them; `rating` is
    Bradley-Terry's, and `rating_at_length` the same as if all answers were of one length.
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
    """A model's mean score by a criterion of a judge of single answers, with its 95 % interval; `limit` is the best."""

    name: str
    criterion: str
    mean: EstimateView
    most: int


class EarlyModelView(Wire):
    """A model's share of points by people and a judge, with its 95 % interval, and its ranks, which hold together.

    `people_low` to `people_high` are the ranks by the same answers of people alone.
    """

    name: str
    score: EstimateView
    rank_low: int
    rank_high: int
    people_low: int
    people_high: int


class EarlyRanksView(Wire):
    """Ranks by prediction-powered inference, never those of the board of people.

    They rest on `people` pairs that people have judged, and on `judged` further pairs that the judge alone has; it
    counts for `weight` of its word, from 0 to 1.
    """

    people: int
    judged: int
    weight: float
    models: list[EarlyModelView]


class LostView(Wire):
    """Judgements about a model, and those among them without a readable verdict."""

    name: str
    judgements: int
    unreadable: int


class JudgeView(Wire):
    """One judge by one version of a rubric, or the panel of all judges by it.

    `flips` is the share of pairs that the order decided, `shown_first` the share of the first shown among all that it
    preferred, `tokens` the mean of a judgement, `cost` that of 1,000 judgements in US dollars.

    `pearson` is the correlation of its shares of wins and ties of all turns with those by the majority of people over
    the models, and `p` its two-sided p-value (SuperCLUE, figure 6); `spearman` is the same by ranks. `figures` are
    these shares by turn and area.

    Where more than `MOST_LOST` of its judgements are unreadable, `lost` has the models that these are about, and
    `missing` the outcomes that none of the readable ones has.

    `early` are ranks by people and this judge together, where it has judged more pairs than people.

    A judge of single answers has `scores`, and its pairs are all answers to a question, compared by their scores.
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


class JudgesView(Wire):
    """All judges of an evaluation; what they say is never a vote nor an annotation.

    `people` is the majority of people in the same figures, on the pairs that are judged; None where nobody has said.
    """

    evaluation: str
    judges: list[JudgeView]
    people: JudgeView | None = None
