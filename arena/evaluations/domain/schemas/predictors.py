"""Evaluations as predictors of the arena's boards, as a page shows them."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from arena.domain.schemas.base import Figure, Wire
from arena.evaluations.domain.schemas.figures import FigureView


class CorrelationView(Wire):
    """A coefficient with its 95 % bootstrap interval over models; null where it is not defined."""

    value: Figure
    low: Figure
    high: Figure


class PredictorView(Wire):
    """Correlation of an evaluation with a board over their common models; `variation` is that of its scores.

    `pearson_p` and `spearman_p` are two-sided p-values, exact below ten models; those of Student's t, as papers print
    them, are `pearson_student_p` and `spearman_student_p`.
    """

    name: str
    models: int
    pearson: CorrelationView
    spearman: CorrelationView
    kendall: CorrelationView
    pearson_p: Figure = None
    spearman_p: Figure = None
    pearson_student_p: Figure = None
    spearman_student_p: Figure = None
    variation: Figure


class MixPartView(Wire):
    """The weight of an evaluation in the best mix, and its range when each model is left out in turn."""

    name: str
    weight: float
    low: float
    high: float


class MixView(Wire):
    """The best linear mix: Pearson's r with the ratings, and its range when each model is left out in turn.

    An `exploratory` one has so few models that it describes them rather than predicts others.
    """

    correlation: float
    low: float
    high: float
    exploratory: bool
    parts: list[MixPartView]


class PredictionView(Wire):
    """All evaluations against the board of a category and language, both empty for all votes.

    `mixed` is the number of models that the board and all evaluations have.
    """

    category: str
    language: str
    predictors: list[PredictorView]
    mixed: int
    mix: MixView | None


class ExpectedView(Wire):
    """Forecast of a model's rating before its first vote, with a conformal interval; it enters no board."""

    model: str
    evaluation: str
    rating: float
    low: float
    high: float
    level: float
    models: int


class CapabilitiesView(Wire):
    """Models by capability on closed and open questions and in the arena (SuperCLUE, tables 2 and 3).

    `closed` and `opened` are evaluations, the latter judged by `judge`. The statistics of `figures` are `close`, the
    share of right choices, `open_single`, `open_multi` and `open_all`, those of wins and ties in the first turn, later
    turns and all, and `carena`, the same of the arena's votes; an empty area is all capabilities.
    """

    closed: str
    opened: str
    judge: str
    figures: list[FigureView]


class PredictorsView(Wire):
    """The newest report on predictors, or an empty one."""

    created_at: datetime | None = None
    boards: list[PredictionView] = Field(default_factory=list["PredictionView"])
    expected: list[ExpectedView] = Field(default_factory=list["ExpectedView"])
    capabilities: list[CapabilitiesView] = Field(default_factory=list["CapabilitiesView"])
