"""The preference for each pair: the value of one more vote on it, up to a factor.

`nearness` prefers pairs of equal strength, `rank_gain` those whose vote makes the order of the models most certain.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Array = NDArray[np.float64]

NEARNESS_POINTS: Final = 100.0
"""Difference in points at which `nearness` is 1/e."""
BEST: Final = 1 / 16
"""Share of all pairs, and of each model's pairs, that `best_pairs` keeps."""
UNKNOWN: Final = 200.0
"""Standard error in points of a model without a rating: the standard deviation of the strengths of models."""
_NATURAL: Final = math.log(10) / 400


def nearness(rating: _Array) -> _Array:
    """e^(-|difference| / 100) for ratings [m] in points; a model without a rating counts as an average one."""
    complete = _with_mean(rating)
    return np.exp(-np.abs(complete[:, None] - complete) / NEARNESS_POINTS)


def rank_gain(rating: _Array, covariance: _Array) -> _Array:
    """The expected gain in certainty about the order of the models by one vote on each pair, [m, m], symmetric.

    A vote on (k, l) with chance p lowers the variance of every difference (i, j) by v c^2 / (1 + v d_kl), where
    v = p (1 - p), d are variances of differences, and c is the covariance of the differences (i, j) and (k, l). The sum
    over (i, j) is weighted with the slope of the chance of misordering i and j in that variance,
    e^(-z^2/2) |difference| / d^(3/2) with z = |difference| / sqrt(d).

    Args:
        rating: float64 [m], points; nan without a battle.
        covariance: float64 [m, m], points squared; nan for models without a rating.
    """
    theta, spread = _with_mean(rating) * _NATURAL, _with_prior(covariance) * _NATURAL**2
    variance = _variances(spread)
    slope = _slope(theta, variance)
    # The sum over (i, j) is a quadratic form in S (e_k - e_l) with the Laplacian of these weights.
    inner = spread @ (np.diag(slope.sum(axis=1)) - slope) @ spread
    information = 0.25 / np.cosh((theta[:, None] - theta) / 2) ** 2  # v = p (1 - p)
    gain = np.maximum(information / (1 + information * variance) * _variances(inner), 0.0)
    # Rounding makes the two triangles differ, of which a threshold might keep only one entry.
    upper = np.triu(gain, 1)
    return upper + upper.T


def best_pairs(gain: _Array) -> _Array:
    """The gain, 0 except for pairs among the best of all pairs or of one of their two models."""
    rows, columns = np.triu_indices(len(gain), k=1)
    thresholds = np.array([_threshold(np.delete(row, place)) for place, row in enumerate(gain)])
    least = np.minimum(_threshold(gain[rows, columns]), np.minimum(thresholds[:, None], thresholds))
    return np.where(gain >= least, gain, 0.0)


def _threshold(values: _Array) -> float:
    """The smallest of the largest values, of which there are `BEST` in all."""
    place = len(values) - math.ceil(len(values) * BEST)
    return float(np.partition(values, place)[place])


def _with_mean(rating: _Array) -> _Array:
    """The ratings, with the mean in place of unknown ones."""
    is_rated = ~np.isnan(rating)
    return np.where(is_rated, rating, rating[is_rated].mean() if is_rated.any() else 0.0)


def _with_prior(covariance: _Array) -> _Array:
    """The covariance, with models without a rating independent of all others."""
    spread = np.nan_to_num(covariance, nan=0.0)
    is_unrated = np.isnan(np.diag(covariance))
    spread[is_unrated, is_unrated] = UNKNOWN**2
    return spread


def _variances(spread: _Array) -> _Array:
    """Variances of all differences, at least 0."""
    variance = np.diag(spread)
    return np.maximum(variance[:, None] + variance - 2 * spread, 0.0)


def _slope(theta: _Array, variance: _Array) -> _Array:
    gap = np.abs(theta[:, None] - theta)
    sure = np.where(variance > 0, variance, np.inf)
    return np.exp(-(gap**2) / (2 * sure)) * gap / sure**1.5
