"""The exposure of models: probabilities of pairs from preferences, such that every model is shown often enough.

An eighth of all draws is uniform. The rest follows the preferences, scaled such that the votes of established models
stay within a ratio of 2 : 1, and newcomers are shown more often until they have enough votes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Array = NDArray[np.float64]

FLOOR: Final = 1 / 8
"""Share of uniform draws."""
ESTABLISHED: Final = 1_000
"""Votes of an established model."""
NEW: Final = ((300, 5.0), (ESTABLISHED, 3.0))
"""Pairs of a number of votes and the factor by which a model with fewer is shown more often."""
NARROW: Final = math.sqrt(1.8)
"""Largest ratio of an established model's share of the next draws to its even share; the smallest is its inverse."""
WIDE: Final = 2.0
"""The same for other models: while votes are few, informative pairs matter more than even shares."""
_ROUNDS: Final = 200
_MIN_SHARE: Final = 1e-9
"""Least preference of a pair relative to the largest one, and least share of a model."""


def balanced(preference: _Array, votes: NDArray[np.int64]) -> _Array:
    """Probabilities [m, m] of pairs, symmetric, with the sum 1 over unordered pairs.

    Args:
        preference: float64 [m, m], symmetric and not negative, up to a factor.
        votes: int64 [m], counted votes of each model so far.
    """
    size = len(votes)
    uniform = (1 - np.eye(size)) / (size * (size - 1))
    low, high = _bounds(votes)
    # The bounds hold for all draws; the uniform ones give each model the share FLOOR / size.
    rest = 1 - FLOOR
    target = _scaled(_positive(preference), (low - FLOOR / size) / rest, (high - FLOOR / size) / rest)
    return 2 * (FLOOR * uniform + rest * target)


def newness(votes: NDArray[np.int64]) -> _Array:
    """The factor by which each model is shown more often than an established one, [m]; 1 from half the median on."""
    half_median = float(np.median(votes)) / 2
    below = [votes < min(bound, half_median) for bound, _ in NEW]
    return np.select(below, [boost for _, boost in NEW], 1.0).astype(np.float64)


def _bounds(votes: NDArray[np.int64]) -> tuple[_Array, _Array]:
    """Smallest and largest share of each model in the next draws, [m] each.

    To keep established models within 2 : 1, the lower bound rises with the lack of votes of a model, up to the upper
    bound for a lead of -1; the upper bound falls with an excess, down to the lower bound for a lead of 1.
    """
    boost = newness(votes)
    even = boost / boost.sum()
    lead, ratio = _lead(votes), np.where(votes < ESTABLISHED, WIDE, NARROW)
    return even * ratio ** (2 * np.maximum(-lead, 0) - 1), even * ratio ** (1 - 2 * np.maximum(lead, 0))


def _lead(votes: NDArray[np.int64]) -> _Array:
    """Lead in votes, [m]: -1 and 1 are the ends of a range of 2 : 1; 0 for models that are not established.

    The middle of the range is the geometric mean of the least and the most votes of all but newcomers.
    """
    is_established, votes_without_new = votes >= ESTABLISHED, votes[newness(votes) <= 1]
    if not is_established.any():
        return np.zeros(len(votes))
    middle = math.sqrt(max(1.0, float(votes_without_new.min())) * float(votes_without_new.max()))
    lead = np.log(np.maximum(votes, 1) / middle) / math.log(math.sqrt(2))
    return np.where(is_established, np.clip(lead, -1.0, 1.0), 0.0)


def _positive(preference: _Array) -> _Array:
    """The preference with a tiny value in place of 0, so that every model has opponents."""
    least = _MIN_SHARE * float(preference.max()) or 1.0
    result = np.maximum(preference, least)
    np.fill_diagonal(result, 0.0)
    return result


def _scaled(preference: _Array, low: _Array, high: _Array) -> _Array:
    """The preference with the sum 1, scaled by one factor per model such that the row sums are within the bounds.

    The factors come from iterative proportional fitting; infeasible bounds, as in a pool of three, are approximated.
    """
    factor = 1 / np.sqrt(preference.sum(axis=1))
    for _ in range(_ROUNDS):
        row_sums = factor * (preference @ factor)
        factor /= math.sqrt(row_sums.sum())
        row_sums /= row_sums.sum()
        bounded = np.clip(row_sums, np.maximum(low, _MIN_SHARE), np.maximum(high, _MIN_SHARE))
        if np.allclose(row_sums, bounded, rtol=1e-3):
            break
        factor *= np.sqrt(bounded / row_sums)
    scaled = preference * np.outer(factor, factor)
    return scaled / scaled.sum()
