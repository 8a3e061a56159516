"""Simultaneous rank sets: they contain the true ranks of all competitors at once with a stated probability.

Every difference of two ratings, in standard errors, is compared with one critical value c: the quantile of
max |x_i - x_j| / s_ij for normal x with the covariance of the ratings. Differences above c are significant; c is
computed again over the others until no more are (step-down: Romano and Wolf 2005; rank sets: Mogstad, Romano, Shaikh
and Wilhelm 2024). The best rank of i is 1 + the number of significantly better competitors, its worst the number of
competitors minus the significantly worse ones.
"""

from __future__ import annotations

import math
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from arena_rating.errors import BadParameters

DRAWS: Final = 2000
"""Draws of the largest difference: a level of 95 % then has a standard error of half a per cent."""
_DECIMALS: Final = 6
_SEEDS: Final = 1 << 64
_TOLERANCE: Final = 1e-9
_Array = NDArray[np.float64]
Ranks = tuple[NDArray[np.int64], NDArray[np.int64]]


def rank_sets(
    rating: _Array,
    covariance: _Array,
    component: NDArray[np.int64] | None = None,
    *,
    seed: int,
    level: float = 0.95,
    stretch: _Array | None = None,
    allowed: NDArray[np.bool_] | None = None,
    draws: int = DRAWS,
) -> Ranks:
    """Best and worst rank [m] in the component; rank 1 is the largest rating.

    `covariance` [m, m] is that of the ratings. `stretch` [m] is how much wider an interval is than a normal one, such
    as t / z; a difference takes the larger of its two. `allowed` [m, m] are the pairs whose difference may be called
    significant, such as `claimed_pairs`, by default all. A competitor without a finite error may have any rank.

    Raises:
        BadParameters: An argument outside its range, or a covariance that is not positive semidefinite.
    """
    if not (0 < level < 1 and draws >= 1 / (1 - level) and 0 <= seed < _SEEDS):
        raise BadParameters("level must be between 0 and 1, the seed below 2^64, and draws enough for the level")
    size = len(rating)
    label = np.zeros(size, np.int64) if component is None else component
    factor = np.ones(size) if stretch is None else stretch
    low, high = np.ones(size, np.int64), np.ones(size, np.int64)
    for number in np.unique(label):
        members = np.flatnonzero(label == number)
        finite = members[np.isfinite(np.diag(covariance)[members] + rating[members] + factor[members])]
        is_better = _is_better(rating[finite], covariance[np.ix_(finite, finite)], factor[finite], level, seed, draws)
        if allowed is not None:
            is_better &= allowed[np.ix_(finite, finite)]
        high[members] = len(members)
        low[finite], high[finite] = 1 + is_better.sum(axis=0), len(members) - is_better.sum(axis=1)
    return low, high


def _is_better(
    rating: _Array, covariance: _Array, stretch: _Array, level: float, seed: int, draws: int
) -> NDArray[np.bool_]:
    """result[i, j]: i is significantly better than j."""
    from arena_rating._kernels.rank_sets import largest_differences, normals

    size = len(rating)
    result = np.zeros((size, size), np.bool_)
    first, second = np.triu_indices(size, 1)
    variance = np.diag(covariance)[first] + np.diag(covariance)[second] - 2 * covariance[first, second]
    scale = 1 / np.sqrt(np.maximum(variance, np.finfo(float).tiny))
    is_positive = variance > _TOLERANCE * np.diag(covariance).max(initial=0.0)
    first, second, scale = first[is_positive], second[is_positive], scale[is_positive]
    gap = np.abs(rating[first] - rating[second]) * scale / np.maximum(stretch[first], stretch[second])
    sample = _root(covariance) @ normals(np.uint64(seed), size, draws)
    is_open, is_stale = np.ones(len(first), np.bool_), np.ones(draws, np.bool_)
    largest, widest_pair = np.zeros(draws), np.zeros(draws, np.int64)
    while is_open.any():
        pairs = np.flatnonzero(is_open)
        stale = np.ascontiguousarray(sample[:, is_stale])
        largest[is_stale], places = largest_differences(stale, first[pairs], second[pairs], scale[pairs])
        widest_pair[is_stale] = pairs[places]
        critical = np.sort(largest)[math.ceil(level * draws) - 1]
        is_significant = is_open & (gap > round(float(critical), _DECIMALS))
        if not is_significant.any():
            break
        is_open &= ~is_significant
        is_stale = ~is_open[widest_pair]  # the others still have the largest difference that they had
    i, j = first[~is_open], second[~is_open]
    is_first_better = rating[i] > rating[j]
    result[np.where(is_first_better, i, j), np.where(is_first_better, j, i)] = True
    return result


def _root(covariance: _Array) -> _Array:
    """Cholesky factor of the covariance plus 10^-9 of its mean variance, since centring makes it singular."""
    if not covariance.any():
        return covariance
    positive = covariance + np.eye(len(covariance)) * _TOLERANCE * np.diag(covariance).mean()
    try:
        return cast("_Array", np.linalg.cholesky(positive))
    except np.linalg.LinAlgError:
        raise BadParameters("the covariance is not positive semidefinite") from None


def ranks(rating: NDArray[np.float64], component: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """1 + the number of better ratings in the same component, int64 of the shape of `rating`, [m] or [rows, m].

    A nan has rank 0 and does not affect the others. Without `component` [m] all competitors are compared.
    """
    table = np.atleast_2d(rating)
    result = np.zeros(table.shape, np.int64)
    label = np.zeros(table.shape[1], np.int64) if component is None else component
    for number in np.unique(label):
        members = np.flatnonzero(label == number)
        for row, rank in zip(table, result, strict=True):
            rank[members] = _ranks(row[members])
    return result.reshape(rating.shape)


def _ranks(rating: NDArray[np.float64]) -> NDArray[np.int64]:
    ordered_ratings = np.sort(rating[~np.isnan(rating)])
    better_count = len(ordered_ratings) - np.searchsorted(ordered_ratings, rating, side="right")
    return np.where(np.isnan(rating), 0, 1 + better_count)
