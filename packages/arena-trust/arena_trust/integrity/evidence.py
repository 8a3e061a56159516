"""Evidence that slices push a model: logarithms of p-values, of one slice, of several together, and of two models.

Several slices are taken together by the statistic of Berk and Jones (1979): the chance that so many of n slices are
beyond the weakest of them, bounded by Chernoff; for one slice by Bonferroni.
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
_FARTHEST: Final = 37.0
"""Beyond, the tail is 0 in floating point."""


def log_tail(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithm of the chance of a standard normal value above; 0 for values that are no evidence."""
    result, far = np.zeros(z.shape), z > _IDLE
    result[far] = [math.log(math.erfc(value / math.sqrt(2)) / 2) for value in np.minimum(z[far], _FARTHEST).tolist()]
    return result


class Together(NamedTuple):
    """The strongest evidence of the highest slices of each model.

    Attributes:
        evidence: float64 [m], logarithms of p-values.
        number: int64 [m], number of slices in it.
        order: int64 [most, m], slices from the highest.
    """

    evidence: NDArray[np.float64]
    number: NDArray[np.intp]
    order: NDArray[np.intp]


def together(z: NDArray[np.float64], tested: NDArray[np.bool_]) -> Together:
    """Take the highest slices of each model together, from z and tested [slices, m]."""
    order = np.argsort(np.where(tested, -z, np.inf), axis=0, kind="stable")[:MOST_TOGETHER]
    tail = log_tail(np.take_along_axis(np.where(tested, z, 0.0), order, axis=0))
    count, number = np.maximum(tested.sum(axis=0), 1), np.arange(1, len(order) + 1)[:, None]
    usable = (tail < 0) & (np.log(number / count) > tail) & (number <= np.maximum(1, count // MOST_GUILTY))
    bound = np.where(usable, _chernoff(number, count, tail) + np.log(number * (number + 1) / 2), 0.0)
    bound[0] = np.where(usable[0], np.log(count) + tail[0], 0.0)
    best = bound.argmin(axis=0)
    return Together(np.take_along_axis(bound, best[None], axis=0)[0], best + 1, order)


def _chernoff(number: NDArray[np.intp], count: NDArray[np.intp], tail: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithm of a bound of the chance that so many of `count` values are beyond, each with the logarithm `tail`."""
    share = np.minimum(number / count, 1.0)
    above = np.log1p(-np.where(number < count, share, 0.0)) - np.log(-np.expm1(np.minimum(tail, -1e-9)))
    return -(number * (np.log(share) - tail) + np.where(number < count, (count - number) * above, 0.0))


def pairs(z: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """The evidence of the two highest models of each slice together [slices], and these models [slices, 2]."""
    order = np.argsort(-z, axis=1, kind="stable")[:, :2]
    return log_tail(np.take_along_axis(z, order, axis=1).sum(axis=1) / math.sqrt(2)), order
