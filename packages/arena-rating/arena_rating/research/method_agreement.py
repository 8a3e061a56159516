"""Agreement of methods: rank correlations of columns of ratings, exact with ties."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_rating import correlations
from arena_rating.bradley_terry import PRIOR, bradley_terry
from arena_rating.comparisons import Comparisons
from arena_rating.counts import PairCounts, pair_counts, ratio
from arena_rating.elo import EloParameters, elo_over_orders
from arena_rating.errors import BadParameters
from arena_rating.points import points_table
from arena_rating.winrate import carena_rate, win_rate

Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """Pairwise correlations of k methods over the competitors that all of them rate.

    Attributes:
        methods: The k names.
        competitors: Number of competitors compared.
        spearman: float64 [k, k], symmetric, 1 on the diagonal; nan where a method rates all competitors alike.
        kendall: The same for tau-b.
    """

    methods: tuple[str, ...]
    competitors: int
    spearman: NDArray[np.float64]
    kendall: NDArray[np.float64]


def spearman(first: Column, second: Column) -> float:
    """Spearman's rho of two columns [m], exact with ties, over rows without a nan.

    nan if there are fewer than two or a column is constant.
    """
    return _correlation(correlations.spearman, first, second)


def kendall(first: Column, second: Column) -> float:
    """Kendall's tau-b of two columns [m], exact with ties, over rows without a nan.

    nan if there are fewer than two or a column is constant.
    """
    return _correlation(correlations.kendall, first, second)


def correlate(columns: Mapping[str, Column]) -> Agreement:
    """Correlate every pair of named columns [m] of the same competitors.

    Raises:
        BadParameters: The columns have different lengths.
    """
    methods, ratings = tuple(columns), [np.asarray(column, np.float64) for column in columns.values()]
    if len({column.shape for column in ratings}) > 1:
        raise BadParameters("the columns have different lengths")
    complete = np.logical_and.reduce([~np.isnan(column) for column in ratings]) if ratings else np.zeros(0, np.bool_)
    return Agreement(methods, int(complete.sum()), _table(ratings, spearman), _table(ratings, kendall))


def agreement(
    comparisons: Comparisons, parameters: EloParameters | None = None, *, seed: int, prior: float = PRIOR
) -> Agreement:
    """Agreement of order-averaged Elo, points, points per battle, win rate, CArena's rate and Bradley-Terry.

    It is over the largest connected component, since no method compares across components. Points grow with the number
    of battles, so they agree with the others only if all competitors have about equally many.
    """
    counts = pair_counts(comparisons)
    fit, table = bradley_terry(counts, prior=prior), points_table(counts)
    is_outside = (fit.component != 0) | (table.played == 0)
    columns = {
        "elo": elo_over_orders(comparisons, parameters, seed=seed).rating,
        "points": table.points,
        "points_per_battle": table.points_per_battle,
        "win_rate": win_rate(counts),
        "carena_rate": carena_rate(counts),
        "bradley_terry": fit.rating,
    }
    return correlate({name: np.where(is_outside, np.nan, column) for name, column in columns.items()})


def average_win_rate(counts: PairCounts) -> NDArray[np.float64]:
    """Mean over opponents of the share of points taken from each, [m]; nan without a battle.

    Unlike `win_rate` it does not depend on how often a competitor met each opponent.
    """
    shares = ratio(counts.scores, counts.battles)
    opponents = counts.battles > 0
    return ratio(np.where(opponents, shares, 0.0).sum(axis=1), opponents.sum(axis=1).astype(np.float64))


def _correlation(measure: Callable[[Column, Column, Column], Column], first: Column, second: Column) -> float:
    x, y = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise BadParameters("the columns have different lengths")
    complete = ~(np.isnan(x) | np.isnan(y))
    n = int(complete.sum())
    return float(measure(x[complete], y[complete], np.ones((1, n)))[0]) if n > 1 else math.nan


def _table(columns: list[Column], measure: Callable[[Column, Column], float]) -> NDArray[np.float64]:
    table = np.ones((len(columns), len(columns)))
    for i, first in enumerate(columns):
        for j in range(i + 1):
            table[i, j] = table[j, i] = measure(first, columns[j])
    return table
