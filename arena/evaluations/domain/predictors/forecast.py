"""Forecast of a newcomer's rating from a judge's ratings, with a conformal interval.

A least-squares line from the judge's ratings to people's is fitted to the models that have both. The half-width of the
interval is a quantile of the leave-one-out errors, with the correction for their number (the jackknife of Barber et
al., Predictive Inference with the Jackknife+, 2021). It assumes no distribution of errors, only that the newcomer is
exchangeable with the others.
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
    """A rating expected before any vote, in points of the board, and its interval from this number of `models`."""

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
    errors = np.sort(np.abs(_leave_one_out_errors(judge, people)))
    slope, mean_rating = _line(judge, people)
    rating, half_width = mean_rating + slope * (newcomer - float(judge.mean())), float(errors[order - 1])
    return Forecast(rating, rating - half_width, rating + half_width, level, n)


def _line(x: Array, y: Array) -> tuple[float, float]:
    """Slope of the least-squares line, and its value at the mean of x."""
    deviation = x - x.mean()
    return float(deviation @ y / (deviation @ deviation)), float(y.mean())


def _leave_one_out_errors(x: Array, y: Array) -> Array:
    """The error at each model of the line fitted without it, from the leverages of the fit to all models."""
    slope, mean_rating = _line(x, y)
    deviation = x - x.mean()
    leverage = 1 / len(x) + deviation**2 / (deviation @ deviation)
    return (y - mean_rating - slope * deviation) / np.maximum(1 - leverage, np.finfo(np.float64).tiny)
