"""Errors of Elo, points and rates that allow for clusters of votes.

A rate is a ratio of sums over clusters, so that its error is that of the sum of (points - rate battles) over clusters
(the infinitesimal jackknife, Efron 1982), times G / (G - 1): the limit of resampling clusters.

Averaged over orders Elo follows theta' = k (sum of the scores at theta) for a log played once, with k = K ln(base) /
scale. A change u of the scores moves the end of that path by F u, F = H^-1 (1 - e^(-k H)) with H at the ratings, so
the covariance is F (sum of u_g u_g') F: that of Bradley-Terry for a long log, of the sums of scores for a short one.
The error of the mean over the orders that were played is added.
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
"""Points of both sides by outcome: of the points table, the win rate and CArena's rate."""
_FLAT: Final = 1e-12
_Array = NDArray[np.float64]


class RateErrors(NamedTuple):
    """Standard errors, float64 [m] each; nan of a competitor with votes of fewer than two clusters."""

    points_per_battle: _Array
    win_rate: _Array
    carena_rate: _Array


def rate_errors(rows: ClusteredRows, counts: PairCounts, clusters: NDArray[np.int64]) -> RateErrors:
    """Errors by cluster; `counts` are those of the log, `clusters` [m] the clusters with a vote on each competitor."""
    from arena_rating._kernels.clusters import rate_sums

    ties, both_bad = counts.ties.sum(axis=1), counts.both_bad.sum(axis=1)
    wins, battles = counts.wins.sum(axis=1), counts.battles.sum(axis=1)
    rate = np.stack([ratio(score, battles) for score in (wins + (ties + both_bad) / 2, wins + ties / 2, wins + ties)])
    sums = np.stack(rows.sums(rate_sums, read_only(_WORTH), np.nan_to_num(rate))).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = np.where(clusters < FEWEST, np.nan, clusters / (clusters - 1.0))
        return RateErrors(*(np.sqrt(sums * factor) / battles))


def elo_errors(elo: OrderAveragedElo, counts: PairCounts, meat: _Array) -> _Array:
    """Standard errors [m] in points; `meat` [m, m] is the sum of u u' over clusters, in natural units."""
    rule = elo.parameters
    unit = rule.scale / math.log(rule.base)
    curve = derivatives((elo.rating - rule.init) / unit, counts.scores, counts.battles, _FLAT)[1]
    values, vectors = np.linalg.eigh(curve)
    step = rule.k / unit
    gain = np.where(values > _FLAT, -np.expm1(-step * values) / np.maximum(values, _FLAT), step)
    flow = (vectors * gain) @ vectors.T
    return np.sqrt(np.maximum(unit**2 * np.diag(flow @ meat @ flow), 0.0) + elo.error**2)
