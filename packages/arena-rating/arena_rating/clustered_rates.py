"""Cluster-robust standard errors of Elo, points and rates.

A rate is a ratio of sums over G clusters. Its variance is G / (G - 1) times the sum over clusters of
(points - rate * battles)^2, over battles^2: the limit of resampling clusters (infinitesimal jackknife, Efron 1982).

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
from arena_rating.clusters import FEWEST, ClusteredRows
from arena_rating.comparisons import read_only
from arena_rating.counts import PairCounts, ratio
from arena_rating.elo import OrderAveragedElo

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


class RateErrors(NamedTuple):
    """Standard errors, float64 [m] each; nan for a competitor with votes of fewer than two clusters."""

    points_per_battle: _Array
    win_rate: _Array
    carena_rate: _Array


def rate_errors(rows: ClusteredRows, counts: PairCounts, clusters: NDArray[np.int64]) -> RateErrors:
    """Errors by cluster, from the log's counts and the number [m] of clusters with a vote on each competitor."""
    from arena_rating._kernels.clusters import rate_sums

    ties, both_bad = counts.ties.sum(axis=1), counts.both_bad.sum(axis=1)
    wins, battles = counts.wins.sum(axis=1), counts.battles.sum(axis=1)
    rate = np.stack([ratio(score, battles) for score in (wins + (ties + both_bad) / 2, wins + ties / 2, wins + ties)])
    sums = np.stack(rows.sums(rate_sums, read_only(_WORTH), np.nan_to_num(rate))).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = np.where(clusters < FEWEST, np.nan, clusters / (clusters - 1.0))
        return RateErrors(*(np.sqrt(sums * factor) / battles))


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
