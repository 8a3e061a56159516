"""Ranks by testing every pair: who is significantly better than whom.

Two intervals may overlap while the difference is beyond doubt, since the errors of two ratings are tied together; a
test on the difference uses the covariance and so separates more. The published ranks are still those of `rank_bounds`
(intervals that do not overlap, the rule of Chatbot Arena), because a reader can check them on the published intervals.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from arena.rating.errors import BadParameters

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

    `level` is 1 - the chance of an error in one test with `none`, which is not corrected for how many pairs are
    tested; with `bonferroni` or the sharper `holm` (1979) it is 1 - the chance of any error in one component. Takes
    the columns of `BradleyTerry` or `StyleBradleyTerry`. Competitors of two components are never compared.

    Raises:
        BadParameters: An unknown correction or a level outside (0, 1).
    """
    if not 0 < level < 1 or correction not in ("none", "bonferroni", "holm"):
        raise BadParameters("level must lie between 0 and 1; correction is none, bonferroni or holm")
    difference = rating[:, None] - rating
    own = np.diag(covariance)
    variance = own[:, None] + own - covariance - covariance.T
    better = np.zeros(difference.shape, np.bool_)
    for number in np.unique(component):
        square = np.ix_(component == number, component == number)
        better[square] = _accepted(_z(difference[square], variance[square]), 1 - level, correction)
    return better


def rank_bounds_by_difference(
    rating: _Array,
    covariance: _Array,
    component: NDArray[np.int64],
    *,
    level: float = 0.95,
    correction: Correction = "none",
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Best and worst rank [m] in the component: 1 + how many are significantly better, its size - how many are worse.

    See `significantly_better` for the arguments. Without a correction a bound is wrong more often than 1 - level in a
    long table, as each competitor is tested against all others.
    """
    better = significantly_better(rating, covariance, component, level=level, correction=correction)
    size = (component[:, None] == component).sum(axis=1)
    return 1 + better.sum(axis=0), size - better.sum(axis=1)


def _z(difference: _Array, variance: _Array) -> _Array:
    """Differences in standard errors; 0 where there is nothing to divide by."""
    known = variance > 0
    return np.divide(difference, np.sqrt(np.where(known, variance, 1.0)), out=np.zeros_like(difference), where=known)


def _accepted(z: _Array, error: float, correction: Correction) -> NDArray[np.bool_]:
    """Where z is large enough, given that one test of every pair is made."""
    tests = len(z) * (len(z) - 1) // 2
    if correction == "none" or tests == 0:
        return z > _threshold(error)
    if correction == "bonferroni":
        return z > _threshold(error / tests)
    ordered = np.sort(np.abs(z[np.triu_indices(len(z), 1)]))[::-1]
    passed = ordered > [_threshold(error / left) for left in range(tests, 0, -1)]
    found = tests if passed.all() else int(passed.argmin())
    return z >= ordered[found - 1] if found else np.zeros(z.shape, np.bool_)


def _threshold(error: float) -> float:
    return NormalDist().inv_cdf(1 - error / 2)
