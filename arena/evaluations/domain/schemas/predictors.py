"""Evaluations as predictors of the arena's boards, as a page shows them."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from arena.domain.schemas.base import Figure, Wire
from arena.evaluations.domain.schemas.figures import FigureView


class CorrelationView(Wire):
    """A coefficient with its 95 % bootstrap interval over models; empty where it is not defined."""

    value: Figure
    low: Figure
    high: Figure


class PredictorView(Wire):
    """One evaluation against a board, over the models that have both; `variation` is that of its scores.

    `pearson_p` and `spearman_p` are two-sided p-values.
    """

    name: str
    models: int
    pearson: CorrelationView
    spearman: CorrelationView
    kendall: CorrelationView
    pearson_p: Figure = None
    spearman_p: Figure = None
    variation: Figure


class MixPartView(Wire):
    """The weight of an evaluation in the best mix, and its lowest and highest when one model is left out."""

    name: str
    weight: float
    low: float
    high: float


class MixView(Wire):
    """The best linear mix: Pearson's r with the ratings, and its lowest and highest when one model is left out.

    An `exploratory` one rests on so few models that it describes them rather than predicts.
    """

    correlation: float
    low: float
    high: float
    exploratory: bool
    parts: list[MixPartView]


class PredictionView(Wire):
    """All evaluations against one board, by category and language, both empty for all votes.

    `mixed` is the number of models that all of them and the board have.
    """

    category: str
    language: str
    predictors: list[PredictorView]
    mixed: int
    mix: MixView | None


class ExpectedView(Wire):
    """A rating expected of a model before its first vote, with a conformal interval: a forecast, on no board."""

    model: str
    evaluation: str
    rating: float
    low: float
    high: float
    level: float
    models: int


class CapabilitiesView(Wire):
    """Models by capability on closed and open questions and in the arena (SuperCLUE, tables 2 and 3).

    `closed` and `opened` are evaluations, the latter as `judge` saw it. The statistics of `figures` are `close`, the
    share of right choices, `open_single`, `open_multi` and `open_all`, those of wins and ties in the first turn, later
    turns and all, and `carena`, the same of the arena's votes; an empty area is all capabilities.
    """

    closed: str
    opened: str
    judge: str
    figures: list[FigureView]


class PredictorsView(Wire):
    """The newest report on predictors; without one it is empty."""

    created_at: datetime | None = None
    boards: list[PredictionView] = Field(default_factory=list["PredictionView"])
    expected: list[ExpectedView] = Field(default_factory=list["ExpectedView"])
    capabilities: list[CapabilitiesView] = Field(default_factory=list["CapabilitiesView"])
