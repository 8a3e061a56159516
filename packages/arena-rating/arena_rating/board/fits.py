"""The Bradley-Terry fit of a board, and the errors of all its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from arena_rating.board.parameters import METHOD_BY_CLUSTER, METHODS_WITH_CLAIMS, LeaderboardParameters
from arena_rating.bradley_terry import BradleyTerry, bradley_terry
from arena_rating.clustered_rates import RateErrors, elo_errors, rate_errors
from arena_rating.clusters import (
    ClusteredFit,
    ClusteredRows,
    claimed_pairs,
    clustered,
    difference_errors,
    number_of_votes,
)
from arena_rating.comparisons import Comparisons
from arena_rating.counts import PairCounts
from arena_rating.elo import OrderAveragedElo
from arena_rating.student import student_quantile


@dataclass(frozen=True, slots=True, eq=False)
class BoardFit:
    """The Bradley-Terry fit of a board: of independent votes, and with errors by cluster."""

    independent: BradleyTerry
    robust: ClusteredFit

    @classmethod
    def of(cls, rows: ClusteredRows, weighted: PairCounts, parameters: LeaderboardParameters) -> Self:
        """The fit from the rows of a log and their weighted counts."""
        rule = parameters.elo
        fit = bradley_terry(
            weighted, init=rule.init, base=rule.base, scale=rule.scale, prior=parameters.prior, level=parameters.level
        )
        robust = clustered(fit, rows, weighted, min_separate=parameters.min_separate)
        return cls(fit, robust if rows.log.voter is None else robust.widened(parameters.widening))


@dataclass(frozen=True, slots=True, eq=False)
class BoardErrors:
    """The fit, errors by cluster, the quantile [m] of intervals, and rank sets [m]."""

    fit: BoardFit
    elo: NDArray[np.float64]
    rates: RateErrors
    quantile: NDArray[np.float64]
    rank_low: NDArray[np.int64]
    rank_high: NDArray[np.int64]
    clusters: int
    method: str


def board_errors(
    fit: BoardFit, rows: ClusteredRows, counts: PairCounts, elo: OrderAveragedElo, seed: int, method: str
) -> BoardErrors:
    """The errors of a board by this method; `seed` is that of the rank sets."""
    robust = fit.robust
    quantile = student_quantile(robust.fit.level, robust.freedom)
    allowed = _claimed(robust, rows.log) if method in METHODS_WITH_CLAIMS else None
    rank_low, rank_high = robust.rank_sets(seed, allowed)
    rates = rate_errors(rows, counts, robust.clusters, corrected=method != METHOD_BY_CLUSTER)
    return BoardErrors(
        fit=fit,
        elo=elo_errors(elo, counts, robust.meat),
        rates=rates._replace(error=robust.widening * rates.error),
        quantile=quantile,
        rank_low=rank_low,
        rank_high=rank_high,
        clusters=len(rows),
        method=method,
    )


def _claimed(robust: ClusteredFit, log: Comparisons) -> NDArray[np.bool_]:
    """Pairs [m, m] whose difference is a claim."""
    fit, quantile = robust.fit, student_quantile(robust.fit.level, robust.freedom)
    error = difference_errors(fit.covariance, fit.unit)
    return claimed_pairs(fit.rating / fit.unit, error, quantile, robust.clusters, number_of_votes(log), fit.level)
