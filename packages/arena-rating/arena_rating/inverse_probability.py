"""Bradley-Terry ratings of votes on pairs that were not drawn evenly, as if every pair had been.

A vote weighs 1 over the probability with which its pair was drawn (Horvitz and Thompson 1952). Where one strength per
model is the truth, this agrees with the plain fit and has wider intervals; where it is not, the plain fit is about the
pairs that were shown most, this one about all pairs alike. A weight is at most `MOST` times the mean one, so that no
single vote on a pair that was hardly ever drawn decides a rating.
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

MOST: Final = 20.0
"""Largest weight of a vote, in means. An eighth of all draws is uniform, so that a steady pool stays below 8."""


def inverse_probability(comparisons: Comparisons, probability: ArrayLike, **parameters: float) -> BradleyTerry:
    """Fit votes weighted by 1 / `probability` [n], times their own weights; `parameters` as for `bradley_terry`.

    Weights have the sum of the votes' own, so that the prior is as strong as in the plain fit.

    Raises:
        BadParameters: A probability outside (0, 1], or another number of them than votes; and as `bradley_terry`.
    """
    chance = np.asarray(probability, np.float64)
    if chance.shape != comparisons.left.shape or not ((chance > 0) & (chance <= 1)).all():
        raise BadParameters("each vote needs the probability of its pair, above 0 and at most 1")
    weight = _weights(chance, np.ones(len(chance)) if comparisons.weight is None else comparisons.weight)
    counts, squares = (pair_counts(replace(comparisons, weight=power)) for power in (weight, weight**2))
    return bradley_terry(counts, squares=squares, **parameters)


def _weights(chance: NDArray[np.float64], marginal: NDArray[np.float64]) -> NDArray[np.float64]:
    inverse = 1 / chance
    weights = np.minimum(inverse, MOST * inverse.mean()) if len(inverse) else inverse
    weight = marginal * weights
    return weight * (marginal.sum() / max(float(weight.sum()), np.finfo(float).tiny))
