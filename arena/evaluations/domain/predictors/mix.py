"""The linear mix of scores with the highest correlation with ratings, and its dependence on single models.

Weights are at least 0 and sum to 1. The mix with the highest correlation is the direction of the projection of the
ratings on the cone of the centred scores, so non-negative least squares finds it (Lawson and Hanson, Solving Least
Squares Problems, chapter 23); a grid of weights, as papers use, only approaches it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

EXPLORATORY_BELOW: Final = 12
"""Number of models below which a best mix describes the sample rather than predicts."""
MAX_SCORES: Final = 6
"""Most scores in a mix, because every subset of them is tried."""


@dataclass(frozen=True, slots=True)
class Mix:
    """The best mix of k scores over n models.

    Attributes:
        weights: The k weights of the unscaled scores.
        correlation: Pearson's r of the mix with the ratings.
        left_out: For each of the n models, the k best weights without it.
        left_out_correlation: For each model, Pearson's r of that mix over the other models.
        exploratory: Whether n is below `EXPLORATORY_BELOW`.
    """

    weights: tuple[float, ...]
    correlation: float
    left_out: tuple[tuple[float, ...], ...]
    left_out_correlation: tuple[float, ...]
    exploratory: bool

    @property
    def bands(self) -> tuple[tuple[float, float], ...]:
        """The lowest and highest weight of each score when each model is left out in turn."""
        return tuple((min(column), max(column)) for column in zip(*self.left_out, strict=True))


def best_mix(scores: Array, rating: Array) -> Mix | None:
    """The mix of scores [n, k] with the highest correlation with ratings [n], and the same without each model.

    None if it is not defined: fewer than two or more than `MAX_SCORES` scores, fewer than four models, or a column
    that is constant with or without one of the models.
    """
    n, k = scores.shape
    if not 2 <= k <= MAX_SCORES or n < 4:  # three models remain without one of them
        return None
    samples = [np.ones(n, np.bool_), *~np.eye(n, dtype=np.bool_)]
    if any(not np.ptp(column[sample]) for column in (*scores.T, rating) for sample in samples):
        return None
    result, *parts = (_best_weights(scores[sample], rating[sample]) for sample in samples)
    weights, values = zip(*parts, strict=True)
    return Mix(*result, weights, values, exploratory=n < EXPLORATORY_BELOW)


def _best_weights(scores: Array, rating: Array) -> tuple[tuple[float, ...], float]:
    deviation, target = scores - scores.mean(axis=0), rating - rating.mean()
    norm = np.linalg.norm(deviation, axis=0)
    unit = deviation / norm
    weights = max(_directions(unit, target), key=lambda direction: _cosine(unit @ direction, target)) / norm
    return tuple(float(weight) for weight in weights / weights.sum()), _cosine(deviation @ weights, target)


def _directions(unit: Array, target: Array) -> Iterator[Array]:
    """Candidates for the best direction [k]: non-negative least squares of each subset, and each score alone."""
    k = unit.shape[1]
    yield from np.eye(k)
    for size in range(2, k + 1):
        for subset in combinations(range(k), size):
            result = np.linalg.lstsq(unit[:, subset], target)[0]
            if (result > 0).all():
                direction = np.zeros(k)
                direction[list(subset)] = result
                yield direction


def _cosine(x: Array, y: Array) -> float:
    return float(x @ y / (np.linalg.norm(x) * np.linalg.norm(y)))
