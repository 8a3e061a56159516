"""Pearson's, Spearman's and Kendall's correlation of two columns, for many bootstrap resamples at once.

`counts` [rounds, rows] is how often each round draws each row; a row of ones is the sample itself. A coefficient is nan
where a column is constant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_ZERO_VARIANCE: Final = 1e-18
"""Largest sum of squares of a constant column, above 0 because of rounding."""


def pearson(x: Array, y: Array, counts: Array) -> Array:
    """Pearson's r [rounds] of columns [rows] or [rounds, rows]."""
    total = counts.sum(axis=1, keepdims=True)
    x = x - (counts * x).sum(axis=1, keepdims=True) / total
    y = y - (counts * y).sum(axis=1, keepdims=True) / total
    return _normalise((counts * x * y).sum(axis=1), (counts * x**2).sum(axis=1), (counts * y**2).sum(axis=1))


def spearman(x: Array, y: Array, counts: Array) -> Array:
    """Spearman's rho [rounds]: Pearson's r of the mid-ranks."""
    return pearson(_mid_ranks(x, counts), _mid_ranks(y, counts), counts)


def kendall(x: Array, y: Array, counts: Array) -> Array:
    """Kendall's tau-b (1945) [rounds]: (concordant - discordant) / sqrt(pairs untied in x * pairs untied in y)."""
    by_x, by_y = np.sign(x[:, None] - x), np.sign(y[:, None] - y)
    return _normalise(_over_pairs(by_x * by_y, counts), _over_pairs(by_x**2, counts), _over_pairs(by_y**2, counts))


def _mid_ranks(x: Array, counts: Array) -> Array:
    """Ranks [rounds, rows] of the drawn rows, 1 for the smallest; equal values share the mean of their ranks."""
    is_below, is_equal = (x[:, None] < x).astype(np.float64), (x[:, None] == x).astype(np.float64)
    return counts @ is_below + (counts @ is_equal + 1) / 2


def _over_pairs(value: Array, counts: Array) -> Array:
    """Sum of `value` [rows, rows] over ordered pairs of drawn rows, [rounds]."""
    return ((counts @ value) * counts).sum(axis=1)


def _normalise(covariance: Array, first: Array, second: Array) -> Array:
    is_defined = (first > _ZERO_VARIANCE) & (second > _ZERO_VARIANCE)
    return np.where(is_defined, covariance / np.sqrt(np.where(is_defined, first * second, 1)), np.nan)
