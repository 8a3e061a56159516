"""Evidence that slices push a model: log p-values of one slice, of several together, and of two models.

Several slices are combined by the normalised sum of their z values. Its p-value is multiplied by the number of ways to
choose so many slices (the Bonferroni scan, see Walther 2022).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_TOGETHER: Final = 40
"""Most slices of a division that are combined."""
MOST_GUILTY: Final = 3
"""At most one slice, or one in three of a division, may be guilty of pushing a model: the others judge it."""
_NO_EVIDENCE: Final = 1.5
"""z below which a value is no evidence."""
_LEAST_COMBINED: Final = 2.5
"""z below which a slice is not combined with others."""
_LARGEST: Final = 37.0
"""z above which the tail is 0 in floating point."""


def log_tail(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithm of the chance of a standard normal value above z; 0 if z is no evidence."""
    result, is_far = np.zeros(z.shape), z > _NO_EVIDENCE
    result[is_far] = [
        math.log(math.erfc(value / math.sqrt(2)) / 2) for value in np.minimum(z[is_far], _LARGEST).tolist()
    ]
    return result


class JointEvidence(NamedTuple):
    """The strongest evidence by each model's highest slices.

    Attributes:
        evidence: float64 [m], log p-values.
        number: int64 [m], number of combined slices.
        order: int64 [most, m], slices by descending z.
    """

    evidence: NDArray[np.float64]
    number: NDArray[np.intp]
    order: NDArray[np.intp]


def join_slices(z: NDArray[np.float64], is_tested: NDArray[np.bool_]) -> JointEvidence:
    """Combine the highest slices of each model, from z and whether it is tested, [slices, m] each."""
    order = np.argsort(np.where(is_tested, -z, np.inf), axis=0, kind="stable")[:MOST_TOGETHER]
    highest = np.take_along_axis(np.where(is_tested, z, 0.0), order, axis=0)
    count, number = np.maximum(is_tested.sum(axis=0), 1), np.arange(1, len(order) + 1)[:, None]
    sums = highest.cumsum(axis=0) / np.sqrt(number)
    ways = np.log((count - number + 1).clip(1) / number).cumsum(axis=0) + np.log(number * (number + 1) / 2)
    # The number of combined slices is chosen, too: number (number + 1) / 2 is the correction for that.
    usable = (highest > _LEAST_COMBINED) & (number <= np.maximum(1, count // MOST_GUILTY))
    bound = np.where(usable, np.minimum(log_tail(sums) + ways, 0.0), 0.0)
    place = bound.argmin(axis=0)
    return JointEvidence(np.take_along_axis(bound, place[None], axis=0)[0], place + 1, order)


def pairs(z: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """The combined evidence of each slice's two highest models [slices], and these models [slices, 2]."""
    order = np.argsort(-z, axis=1, kind="stable")[:, :2]
    return log_tail(np.take_along_axis(z, order, axis=1).sum(axis=1) / math.sqrt(2)), order
