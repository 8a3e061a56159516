"""The preference for each pair: what one more vote on it is worth, up to a factor.

Two rules: `nearness` prefers pairs of equal strength, `rank_gain` those whose vote most narrows the intervals that
decide about ranks.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Array = NDArray[np.float64]

NEAR: Final = 100.0
"""Difference in points at which `nearness` has fallen to 1/e."""
BEST: Final = 1 / 16
"""Share of the pairs that `best_pairs` keeps, and of each model's opponents."""
UNKNOWN: Final = 200.0
"""Standard error in points of a model without a rating: that of the strengths of models in general."""
_NATURAL: Final = math.log(10) / 400


def nearness(rating: _Array) -> _Array:
    """e^(-|difference| / 100) for ratings [m] in points; a model without a rating counts as an average one."""
    complete = _with_mean(rating)
    return np.exp(-np.abs(complete[:, None] - complete) / NEAR)


def rank_gain(rating: _Array, covariance: _Array) -> _Array:
    """The expected gain in certainty about the order of the models by one vote on each pair, [m, m], symmetric.

    A vote on (k, l) with chance p lowers the variance of every difference (i, j) by v c^2 / (1 + v d_kl), where
    v = p (1 - p), d are variances of differences, and c is the covariance of the differences (i, j) and (k, l). The sum
    over (i, j) is weighted with the slope of the chance of misordering i and j in that variance,
    e^(-z^2/2) |difference| / d^(3/2) with z = |difference| / sqrt(d).

    Args:
        rating: float64 [m], points; nan without a battle.
        covariance: float64 [m, m], points squared; nan where nothing is known.
    """
    theta, spread = _with_mean(rating) * _NATURAL, _filled(covariance) * _NATURAL**2
    variance = _variances(spread)
    matters = _slope(theta, variance)
    # The sum over (i, j) is a quadratic form in S (e_k - e_l) with the Laplacian of these weights.
    inner = spread @ (np.diag(matters.sum(axis=1)) - matters) @ spread
    even = 0.25 / np.cosh((theta[:, None] - theta) / 2) ** 2
    gain = np.maximum(even / (1 + even * variance) * _variances(inner), 0.0)
    # Rounding makes the two halves differ, and a threshold may then keep one of them only.
    upper = np.triu(gain, 1)
    return upper + upper.T


def best_pairs(gain: _Array) -> _Array:
    """The gain of the best pairs of all and of each model, 0 for the others."""
    rows, columns = np.triu_indices(len(gain), k=1)
    thresholds = np.array([_threshold(np.delete(row, place)) for place, row in enumerate(gain)])
    least = np.minimum(_threshold(gain[rows, columns]), np.minimum(thresholds[:, None], thresholds))
    return np.where(gain >= least, gain, 0.0)


def _threshold(values: _Array) -> float:
    """The smallest of the best values."""
    place = len(values) - math.ceil(len(values) * BEST)
    return float(np.partition(values, place)[place])


def _with_mean(rating: _Array) -> _Array:
    """The ratings, with the mean in place of unknown ones."""
    is_rated = ~np.isnan(rating)
    return np.where(is_rated, rating, rating[is_rated].mean() if is_rated.any() else 0.0)


def _filled(covariance: _Array) -> _Array:
    """The covariance with independent unknown ratings."""
    spread = np.nan_to_num(covariance, nan=0.0)
    unknown = np.isnan(np.diag(covariance))
    spread[unknown, unknown] = UNKNOWN**2
    return spread


def _variances(spread: _Array) -> _Array:
    """Variances of all differences, at least 0."""
    variance = np.diag(spread)
    return np.maximum(variance[:, None] + variance - 2 * spread, 0.0)


def _slope(theta: _Array, variance: _Array) -> _Array:
    gap = np.abs(theta[:, None] - theta)
    sure = np.where(variance > 0, variance, np.inf)
    return np.exp(-(gap**2) / (2 * sure)) * gap / sure**1.5
