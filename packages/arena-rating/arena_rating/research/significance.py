"""Significance tests of the differences of ratings, and rank bounds from them.

Two intervals may overlap although the difference is significant. A test of the difference uses the covariance and so
separates more pairs than `rank_bounds`, the rule of Chatbot Arena. The leaderboard publishes `rank_sets`, which hold
for all competitors at once.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from arena_rating.errors import BadParameters

Correction = Literal["none", "bonferroni", "holm"]
_Array = NDArray[np.float64]


def significantly_better(
    rating: _Array,
    covariance: _Array,
    component: NDArray[np.int64],
    *,
    level: float = 0.95,
    correction: Correction = "none",
) -> NDArray[np.bool_]:
    """better[i, j]: i is better than j by a two-sided z test on the difference of their ratings, bool [m, m].

    The arguments are fields of `BradleyTerry` or `StyleBradleyTerry`. `level` is 1 - the error rate of a single test
    (`none`), or 1 - the family-wise error rate in a component (`bonferroni`, or the more powerful `holm` of 1979).
    Competitors of different components are not compared.

    Raises:
        BadParameters: An unknown correction or a level outside (0, 1).
    """
    if not 0 < level < 1 or correction not in ("none", "bonferroni", "holm"):
        raise BadParameters("level must lie between 0 and 1, and correction must be none, bonferroni or holm")
    difference = rating[:, None] - rating
    diagonal = np.diag(covariance)
    variance = diagonal[:, None] + diagonal - covariance - covariance.T
    is_better = np.zeros(difference.shape, np.bool_)
    for number in np.unique(component):
        square = np.ix_(component == number, component == number)
        is_better[square] = _is_accepted(_z(difference[square], variance[square]), 1 - level, correction)
    return is_better


def rank_bounds_by_difference(
    rating: _Array,
    covariance: _Array,
    component: NDArray[np.int64],
    *,
    level: float = 0.95,
    correction: Correction = "none",
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Best and worst rank [m] in the component.

    The best is 1 + the number of significantly better competitors, the worst the size of the component minus the number
    of significantly worse ones; arguments as in `significantly_better`. Without a correction a bound in a long table is
    wrong more often than 1 - level, since each competitor has many tests.
    """
    is_better = significantly_better(rating, covariance, component, level=level, correction=correction)
    size = (component[:, None] == component).sum(axis=1)
    return 1 + is_better.sum(axis=0), size - is_better.sum(axis=1)


def _z(difference: _Array, variance: _Array) -> _Array:
    """Differences in standard errors; 0 where the variance is not above 0."""
    is_positive = variance > 0
    return np.divide(
        difference, np.sqrt(np.where(is_positive, variance, 1.0)), out=np.zeros_like(difference), where=is_positive
    )


def _is_accepted(z: _Array, error: float, correction: Correction) -> NDArray[np.bool_]:
    """Whether each z is significant, with one test per pair."""
    tests = len(z) * (len(z) - 1) // 2
    if correction == "none" or tests == 0:
        return z > _threshold(error)
    if correction == "bonferroni":
        return z > _threshold(error / tests)
    ordered_z = np.sort(np.abs(z[np.triu_indices(len(z), 1)]))[::-1]
    is_passed = ordered_z > [_threshold(error / number) for number in range(tests, 0, -1)]
    result = tests if is_passed.all() else int(is_passed.argmin())
    return z >= ordered_z[result - 1] if result else np.zeros(z.shape, np.bool_)


def _threshold(error: float) -> float:
    return NormalDist().inv_cdf(1 - error / 2)
