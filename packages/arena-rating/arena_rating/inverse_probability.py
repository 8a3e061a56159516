"""Bradley-Terry ratings corrected for pairs that were drawn with unequal probability.

A vote weighs 1 over the probability with which its pair was drawn (Horvitz and Thompson 1952). If the Bradley-Terry
model holds, this estimates the same ratings as the plain fit, with wider intervals. If not, the plain fit describes the
pairs that were drawn most, this one all pairs alike. A weight is at most `MAX_WEIGHT` times the mean, so that no
single vote on a rare pair decides a rating.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_rating.bradley_terry import BradleyTerry, bradley_terry
from arena_rating.counts import pair_counts
from arena_rating.errors import BadParameters

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from arena_rating.comparisons import Comparisons

MAX_WEIGHT: Final = 20.0
"""Largest weight over the mean weight. An eighth of the arena's draws is uniform, so a constant pool stays below 8."""


def inverse_probability(comparisons: Comparisons, probability: ArrayLike, **parameters: float) -> BradleyTerry:
    """Fit votes with their weights divided by `probability` [n]; `parameters` as for `bradley_terry`.

    The weights are scaled to their former sum, so the prior is as strong as in the plain fit.

    Raises:
        BadParameters: A probability outside (0, 1], or not one for each vote.
        RatingError: As in `bradley_terry`.
    """
    chance = np.asarray(probability, np.float64)
    if chance.shape != comparisons.left.shape or not ((chance > 0) & (chance <= 1)).all():
        raise BadParameters("each vote needs the probability of its pair, above 0 and at most 1")
    weight = _weights(chance, comparisons.weight)
    counts, squares = (pair_counts(replace(comparisons, weight=power)) for power in (weight, weight**2))
    return bradley_terry(counts, squares=squares, **parameters)


def _weights(chance: NDArray[np.float64], frequency: NDArray[np.float64] | None) -> NDArray[np.float64]:
    weight, total = 1 / chance, float(len(chance) if frequency is None else frequency.sum())
    if len(weight):
        np.minimum(weight, MAX_WEIGHT * weight.mean(), out=weight)
    if frequency is not None:
        weight *= frequency
    weight *= total / max(float(weight.sum()), np.finfo(float).tiny)
    return weight
