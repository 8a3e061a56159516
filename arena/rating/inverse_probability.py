"""Bradley-Terry ratings of votes on pairs that were not drawn evenly, as if every pair had been.

A vote weighs 1 over the probability with which its pair was drawn (Horvitz and Thompson 1952). Where one strength per
model is the truth, this agrees with the plain fit and has wider intervals; where it is not, the plain fit is about the
pairs that were shown most, this one about all pairs alike.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.rating.bradley_terry import BradleyTerry, bradley_terry
from arena.rating.counts import pair_counts
from arena.rating.errors import BadParameters

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from arena.rating.comparisons import Comparisons


def inverse_probability(comparisons: Comparisons, probability: ArrayLike, **how: Any) -> BradleyTerry:  # noqa: ANN401
    """Fit votes weighted by 1 / `probability` [n], times their own weights; `how` as for `bradley_terry`.

    Weights have the mean 1, so that the prior is as strong as in the plain fit.

    Raises:
        BadParameters: A probability outside (0, 1], or another number of them than votes; and as `bradley_terry`.
    """
    chance = np.asarray(probability, np.float64)
    if chance.shape != comparisons.left.shape or not ((chance > 0) & (chance <= 1)).all():
        raise BadParameters("each vote needs the probability of its pair, above 0 and at most 1")
    weight = 1 / chance if comparisons.weight is None else comparisons.weight / chance
    weight = weight / max(float(weight.mean()), np.finfo(float).tiny) if len(weight) else weight
    counts, squares = (pair_counts(replace(comparisons, weight=each)) for each in (weight, weight**2))
    return bradley_terry(counts, squares=squares, **how)
