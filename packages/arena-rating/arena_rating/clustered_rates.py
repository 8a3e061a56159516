"""Cluster-robust standard errors of Elo, points and rates.

A rate is a ratio of sums over G clusters. Without cluster g it moves by d_g / battles, with
d_g = (points - rate * battles of g) / (1 - g's share of the battles), and its variance is (G - 1) / G times the sum of
d_g^2, over battles^2: the jackknife, as the ratings' (CR3 in `clusters`), with their Student's t. A virtual win and a
virtual loss are added to that sum as independent noise, so that a rate of 0 or 1 has an interval. Below `MIN_CLUSTERS`
clusters a variance is at least that of independent votes without ties, at a rate with those two virtual votes.

The first method by cluster, `METHOD_BY_CLUSTER`, had neither: its variance is G / (G - 1) times the sum of
(points - rate * battles)^2, over battles^2.

Order-averaged Elo follows the flow theta' = k (sum of the scores at theta), with k = K ln(base) / scale, for one pass
over the log. A change u of the scores moves the end of that path by F u, with F = H^-1 (1 - e^(-k H)) and H at the
ratings, so the covariance is F (sum of u_g u_g') F. For a long log it tends to that of Bradley-Terry. The variance of
the mean over the random orders is added.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena_rating.bradley_terry import derivatives
from arena_rating.clusters import FEWEST, MIN_CLUSTERS, ClusteredRows
from arena_rating.comparisons import read_only
from arena_rating.counts import PairCounts, ratio
from arena_rating.elo import OrderAveragedElo
from arena_rating.student import student_quantile

_WORTH: Final = np.array(
    [
        [[1, 0], [0, 1], [0.5, 0.5], [0.5, 0.5]],
        [[1, 0], [0, 1], [0.5, 0.5], [0, 0]],
        [[1, 0], [0, 1], [1, 1], [0, 0]],
    ]
)
"""Points [3, 4, 2] by rate (points per battle, win rate, CArena's rate), outcome and side."""
_FLAT: Final = 1e-12
_Array = NDArray[np.float64]


RATES: Final = ("points_per_battle", "win_rate", "carena_rate")


class RateErrors(NamedTuple):
    """Standard errors of the r `RATES`, and the weight of the heaviest cluster.

    Attributes:
        rate: float64 [r, m].
        error: float64 [r, m]; nan for a competitor with votes of fewer than two clusters.
        freedom: float64 [r, m], degrees of freedom of the intervals, at least 1.
        heaviest: float64 [m], the largest share of one cluster in a competitor's battles.
    """

    rate: _Array
    error: _Array
    freedom: _Array
    heaviest: _Array

    def intervals(self, level: float) -> tuple[_Array, _Array]:
        """Lower and upper bounds [r, m], within 0 and 1."""
        half = student_quantile(level, self.freedom.ravel()).reshape(self.error.shape) * self.error
        return np.maximum(self.rate - half, 0.0), np.minimum(self.rate + half, 1.0)


def rate_errors(
    rows: ClusteredRows, counts: PairCounts, clusters: NDArray[np.int64], *, corrected: bool = True
) -> RateErrors:
    """Errors by cluster, from the log's counts and the number [m] of clusters with a vote on each competitor.

    `corrected` is False for `METHOD_BY_CLUSTER`.
    """
    from arena_rating._kernels.clusters import rate_sums

    ties, both_bad = counts.ties.sum(axis=1), counts.both_bad.sum(axis=1)
    wins, battles = counts.wins.sum(axis=1), counts.battles.sum(axis=1)
    rate = np.stack([ratio(score, battles) for score in (wins + (ties + both_bad) / 2, wins + ties / 2, wins + ties)])
    total = battles if corrected else np.full(len(battles), np.inf)
    blocks = zip(*rows.sums(rate_sums, read_only(_WORTH), np.nan_to_num(rate), total), strict=True)
    squares, fourths, largest = (np.stack(parts) for parts in blocks)
    sums, fourths = squares.sum(axis=0), fourths.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        several = np.where(clusters < FEWEST, np.nan, clusters.astype(np.float64))
        if corrected:
            sums = sums * ((several - 1) / several) + rate**2 + (1 - rate) ** 2
            smooth = (rate * battles + 1) / (battles + 2)
            error = np.sqrt(np.maximum(sums, np.where(clusters < MIN_CLUSTERS, smooth * (1 - smooth) * battles, 0)))
        else:
            error = np.sqrt(sums * (several / (several - 1)))
        freedom = np.nan_to_num(3 * squares.sum(axis=0) ** 2 / fourths - 2, nan=1.0, posinf=1.0)
        return RateErrors(rate, error / battles, np.maximum(freedom, 1.0), largest.max(axis=0) / battles)


def elo_errors(elo: OrderAveragedElo, counts: PairCounts, meat: _Array) -> _Array:
    """Standard errors [m] of Elo in points; `meat` [m, m] is the sum of u_g u_g' in natural units."""
    rule = elo.parameters
    unit = rule.scale / math.log(rule.base)
    hessian = derivatives((elo.rating - rule.init) / unit, counts.scores, counts.battles, _FLAT)[1]
    values, vectors = np.linalg.eigh(hessian)
    step = rule.k / unit
    gain = np.where(values > _FLAT, -np.expm1(-step * values) / np.maximum(values, _FLAT), step)
    flow = (vectors * gain) @ vectors.T
    return np.sqrt(np.maximum(unit**2 * np.diag(flow @ meat @ flow), 0.0) + elo.error**2)
