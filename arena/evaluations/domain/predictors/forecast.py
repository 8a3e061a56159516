"""Expected rating of a newcomer from a judge's ratings, with a conformal interval.

A line from the judge's ratings to people's is fitted to the models that have both. How far such a line errs about a
model that it has not seen is known from leaving each model out in turn; the interval is as wide as it takes to hold for
as many of them as the level says, with the correction for their number (the jackknife of Barber et al., Predictive
Inference with the Jackknife+, 2021). It assumes no shape of errors, only that the newcomer is a model like the others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

LEVEL: Final = 0.9


@dataclass(frozen=True, slots=True)
class Forecast:
    """A rating expected before any vote, in the points of the board, and its interval; `models` is what it rests on."""

    rating: float
    low: float
    high: float
    level: float
    models: int


def forecast(judge: Array, people: Array, newcomer: float, *, level: float = LEVEL) -> Forecast | None:
    """Forecast a newcomer's rating from the judge's rating of it, given both ratings of the others [models].

    None if there are too few models for an interval of this level (9 for 90 %) or the judge rates all alike.
    """
    n = len(judge)
    order = math.ceil((n + 1) * level)
    if order > n or not np.ptp(judge):
        return None
    errors = np.sort(np.abs(_left_out_errors(judge, people)))
    slope, level_at_mean = _line(judge, people)
    rating, half_width = level_at_mean + slope * (newcomer - float(judge.mean())), float(errors[order - 1])
    return Forecast(rating, rating - half_width, rating + half_width, level, n)


def _line(x: Array, y: Array) -> tuple[float, float]:
    """Slope of the least-squares line, and its value at the mean of x."""
    deviation = x - x.mean()
    return float(deviation @ y / (deviation @ deviation)), float(y.mean())


def _left_out_errors(x: Array, y: Array) -> Array:
    """The error of the line at each model when it is fitted without that model, from the leverages of the whole fit."""
    slope, middle = _line(x, y)
    deviation = x - x.mean()
    leverage = 1 / len(x) + deviation**2 / (deviation @ deviation)
    return (y - middle - slope * deviation) / np.maximum(1 - leverage, np.finfo(np.float64).tiny)
