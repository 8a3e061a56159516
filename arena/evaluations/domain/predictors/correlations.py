"""Pearson, Spearman and Kendall of two columns, with bootstrap intervals over their rows.

A bootstrap round draws as many rows as there are, with replacement; all that a coefficient needs of it is how often
each row was drawn. So every coefficient is computed from such counts, of all rounds at once, and the coefficient itself
is the round that drew each row once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

ROUNDS: Final = 2_000
LEAST: Final = 3
"""Rows; with two, every correlation is 1 or -1."""
_ENDS: Final = (2.5, 97.5)


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient with its 95 % bootstrap interval; nan where it is not defined."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Correlations:
    """Pearson's r, Spearman's rho (mid-ranks) and Kendall's tau-b of the same rows."""

    pearson: Correlation
    spearman: Correlation
    kendall: Correlation


def correlations(x: Array, y: Array, *, rng: np.random.Generator, rounds: int = ROUNDS) -> Correlations:
    """Correlate two columns [rows] without nan.

    Rounds in which a column is constant have no coefficient and are left out of the interval. A coefficient is nan if
    there are fewer than `LEAST` rows or a column is constant.
    """
    if len(x) < LEAST:
        nothing = Correlation(np.nan, np.nan, np.nan)
        return Correlations(nothing, nothing, nothing)
    drawn = rng.multinomial(len(x), np.full(len(x), 1 / len(x)), size=rounds)
    counts = np.vstack([np.ones(len(x)), drawn]).astype(np.float64)
    return Correlations(
        _with_interval(_pearson(counts, x, y)),
        _with_interval(_pearson(counts, _mid_ranks(counts, x), _mid_ranks(counts, y))),
        _with_interval(_kendall(counts, x, y)),
    )


def variation(x: Array) -> float:
    """The coefficient of variation: sample standard deviation over mean; nan below two rows or at mean 0."""
    return float(np.std(x, ddof=1) / np.mean(x)) if len(x) > 1 and np.mean(x) else np.nan


def _with_interval(values: Array) -> Correlation:
    rounds = values[1:][~np.isnan(values[1:])]
    low, high = np.percentile(rounds, _ENDS) if len(rounds) and not np.isnan(values[0]) else (np.nan, np.nan)
    return Correlation(float(values[0]), float(low), float(high))


def _pearson(counts: Array, x: Array, y: Array) -> Array:
    """Coefficients [rounds] of columns [rows] or [rounds, rows] whose rows were drawn `counts` [rounds, rows] times."""
    total = counts.sum(axis=1, keepdims=True)
    x = x - (counts * x).sum(axis=1, keepdims=True) / total
    y = y - (counts * y).sum(axis=1, keepdims=True) / total
    return _ratio((counts * x * y).sum(axis=1), (counts * x**2).sum(axis=1), (counts * y**2).sum(axis=1))


def _mid_ranks(counts: Array, x: Array) -> Array:
    """Ranks [rounds, rows] from 1 for the smallest of the drawn rows; equal ones share the mean of their ranks."""
    below = (x[:, None] < x).astype(np.float64)
    equal = (x[:, None] == x).astype(np.float64)
    return counts @ below + (counts @ equal + 1) / 2


def _kendall(counts: Array, x: Array, y: Array) -> Array:
    by_x, by_y = np.sign(x[:, None] - x), np.sign(y[:, None] - y)
    return _ratio(_pairs(counts, by_x * by_y), _pairs(counts, by_x**2), _pairs(counts, by_y**2))


def _pairs(counts: Array, value: Array) -> Array:
    """The sum of `value` [rows, rows] over pairs of drawn rows [rounds]."""
    return ((counts @ value) * counts).sum(axis=1)


def _ratio(shared: Array, first: Array, second: Array) -> Array:
    # A constant column leaves a variance of rounding errors, not of exactly 0.
    defined = (first > _NOTHING) & (second > _NOTHING)
    return np.where(defined, shared / np.sqrt(np.where(defined, first * second, 1)), np.nan)


_NOTHING: Final = 1e-18
