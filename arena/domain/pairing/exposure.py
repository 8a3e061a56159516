"""The exposure of models: from preferences for pairs to probabilities that show every model often enough.

An eighth of all draws is uniform. The rest follows the preferences, scaled so that no established model is shown much
more often than another, as counted so far, and newcomers are shown more often until they are known.
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
NEW: Final = ((300, 5.0), (ESTABLISHED, 3.0))
"""How much more often a model is shown below these numbers of votes."""
NARROW: Final = math.sqrt(1.8)
"""Largest ratio between a model's share of the next draws and its even share; its inverse is the smallest."""
WIDE: Final = 2.0
"""The same for a model that is not established yet: early on, votes where they tell most are worth more."""
_ROUNDS: Final = 200
_LEAST: Final = 1e-9


def balanced(preference: _Array, votes: NDArray[np.int64]) -> _Array:
    """Probabilities [m, m] of pairs, symmetric, with the sum 1 over unordered pairs.

    Args:
        preference: float64 [m, m], symmetric and not negative, up to a factor.
        votes: int64 [m], counted votes of each model so far.
    """
    size = len(votes)
    uniform = (1 - np.eye(size)) / (size * (size - 1))
    low, high = _bounds(votes)
    # Uniform draws show every model alike; the others have to make up for that.
    rest = 1 - FLOOR
    target = _scaled(_somewhere(preference), (low - FLOOR / size) / rest, (high - FLOOR / size) / rest)
    return 2 * (FLOOR * uniform + rest * target)


def newness(votes: NDArray[np.int64]) -> _Array:
    """How much more often than an established model each one is shown, [m]; in a young arena nobody is a newcomer."""
    usual = float(np.median(votes)) / 2
    below = [votes < min(bound, usual) for bound, _ in NEW]
    return np.select(below, [boost for _, boost in NEW], 1.0).astype(np.float64)


def _bounds(votes: NDArray[np.int64]) -> tuple[_Array, _Array]:
    """Smallest and largest share of each model in the next draws.

    Established models may differ by 2 : 1 in all. Who comes near to either end so far is held to the other one's side.
    """
    boost = newness(votes)
    even = boost / boost.sum()
    lead, ratio = _lead(votes), np.where(votes < ESTABLISHED, WIDE, NARROW)
    return even * ratio ** (2 * np.maximum(-lead, 0) - 1), even * ratio ** (1 - 2 * np.maximum(lead, 0))


def _lead(votes: NDArray[np.int64]) -> _Array:
    """How far an established model is from the middle of all but newcomers, -1 to 1: at the ends of 2 : 1."""
    old, votes_of_known = votes >= ESTABLISHED, votes[newness(votes) <= 1]
    if not old.any():
        return np.zeros(len(votes))
    middle = math.sqrt(max(1.0, float(votes_of_known.min())) * float(votes_of_known.max()))
    place = np.log(np.maximum(votes, 1) / middle) / math.log(math.sqrt(2))
    return np.where(old, np.clip(place, -1.0, 1.0), 0.0)


def _somewhere(preference: _Array) -> _Array:
    """The preference, and next to nothing for other pairs: without it some models might have no opponent at all."""
    least = _LEAST * float(preference.max()) or 1.0
    some = np.maximum(preference, least)
    np.fill_diagonal(some, 0.0)
    return some


def _scaled(preference: _Array, low: _Array, high: _Array) -> _Array:
    """The preference with the sum 1, scaled by a factor of each model so that its row has a sum within the bounds.

    Bounds that cannot be met, as in a pool of three, are met as nearly as the rounds allow.
    """
    factor = 1 / np.sqrt(preference.sum(axis=1))
    for _ in range(_ROUNDS):
        shown = factor * (preference @ factor)
        factor /= math.sqrt(shown.sum())
        shown /= shown.sum()
        within = np.clip(shown, np.maximum(low, _LEAST), np.maximum(high, _LEAST))
        if np.allclose(shown, within, rtol=1e-3):
            break
        factor *= np.sqrt(within / shown)
    scaled = preference * np.outer(factor, factor)
    return scaled / scaled.sum()
