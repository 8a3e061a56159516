"""Evidence that slices push a model: logarithms of p-values, of one slice, of several together, and of two models.

Several slices are taken together by the sum of their values in standard errors, whose chance is multiplied by the
number of ways to choose so many slices (the Bonferroni scan, see Walther 2022): unlike slices count with all they have.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_TOGETHER: Final = 40
"""Most slices of a division that are taken together."""
MOST_GUILTY: Final = 3
"""Most slices that push a model are one, or one in so many of the division: whoever judges them has to be honest."""
_IDLE: Final = 1.5
"""Values below are no evidence."""
_WEAKEST: Final = 2.5
"""Values below are not taken together with higher ones."""
_FARTHEST: Final = 37.0
"""Beyond, the tail is 0 in floating point."""


def log_tail(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithm of the chance of a standard normal value above; 0 for values that are no evidence."""
    result, is_far = np.zeros(z.shape), z > _IDLE
    result[is_far] = [
        math.log(math.erfc(value / math.sqrt(2)) / 2) for value in np.minimum(z[is_far], _FARTHEST).tolist()
    ]
    return result


class JointEvidence(NamedTuple):
    """The strongest evidence of the highest slices of each model.

    Attributes:
        evidence: float64 [m], logarithms of p-values.
        number: int64 [m], number of slices in it.
        order: int64 [most, m], slices from the highest.
    """

    evidence: NDArray[np.float64]
    number: NDArray[np.intp]
    order: NDArray[np.intp]


def join_slices(z: NDArray[np.float64], is_tested: NDArray[np.bool_]) -> JointEvidence:
    """Take the highest slices of each model together, from z and tested [slices, m]."""
    order = np.argsort(np.where(is_tested, -z, np.inf), axis=0, kind="stable")[:MOST_TOGETHER]
    highest = np.take_along_axis(np.where(is_tested, z, 0.0), order, axis=0)
    count, number = np.maximum(is_tested.sum(axis=0), 1), np.arange(1, len(order) + 1)[:, None]
    sums = highest.cumsum(axis=0) / np.sqrt(number)
    ways = np.log((count - number + 1).clip(1) / number).cumsum(axis=0) + np.log(number * (number + 1) / 2)
    # The number of slices was not known either: each has a share of the chance.
    usable = (highest > _WEAKEST) & (number <= np.maximum(1, count // MOST_GUILTY))
    bound = np.where(usable, np.minimum(log_tail(sums) + ways, 0.0), 0.0)
    place = bound.argmin(axis=0)
    return JointEvidence(np.take_along_axis(bound, place[None], axis=0)[0], place + 1, order)


def pairs(z: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """The evidence of the two highest models of each slice together [slices], and these models [slices, 2]."""
    order = np.argsort(-z, axis=1, kind="stable")[:, :2]
    return log_tail(np.take_along_axis(z, order, axis=1).sum(axis=1) / math.sqrt(2)), order
