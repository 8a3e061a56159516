"""Bootstrapped Elo: a percentile interval over resampled logs (Chatbot Arena)."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_rating.comparisons import Comparisons
from arena_rating.counts import pair_counts
from arena_rating.elo import SETTLED, EloParameters, elo_by_order, way_left
from arena_rating.errors import BadParameters
from arena_rating.points import points_table


@dataclass(frozen=True, slots=True, eq=False)
class BootstrappedElo:
    """Percentiles over resampled logs, in points; float64 [m] each. A constant K keeps the width above 0.

    An interval is valid if the rating has `settled`. Before that all rounds are biased towards the start like the log's
    own rating: at K = 4 and 20 votes on each of 100 competitors by up to 200 points.

    Attributes:
        names: The m competitors.
        rating: Median over the rounds.
        low: Lower end of the percentile interval.
        high: Upper end.
        level: Nominal coverage of the intervals of settled ratings.
        left: Share of the distance to the final value that is left, by `way_left`.
        parameters: As given; `orders` is the number of rounds.
        seed: As given.
    """

    names: tuple[str, ...]
    rating: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    level: float
    left: NDArray[np.float64]
    parameters: EloParameters
    seed: int

    @property
    def settled(self) -> NDArray[np.bool_]:
        """Ratings with at most `SETTLED` of their distance left, bool [m]."""
        return self.left <= SETTLED


def elo_bootstrap(
    comparisons: Comparisons,
    parameters: EloParameters | None = None,
    *,
    seed: int,
    level: float = 0.95,
    executor: Executor | None = None,
) -> BootstrappedElo:
    """Percentile interval over `parameters.orders` logs drawn from this one with replacement, in random order."""
    if not 0 < level < 1:
        raise BadParameters("level must lie between 0 and 1")
    parameters = parameters or EloParameters()
    ratings = elo_by_order(comparisons, parameters, seed, executor, replace=True)
    low, rating, high = np.quantile(ratings, [(1 - level) / 2, 0.5, (1 + level) / 2], axis=0)
    table = points_table(pair_counts(comparisons))
    return BootstrappedElo(
        names=comparisons.names,
        rating=rating,
        low=low,
        high=high,
        level=level,
        left=way_left(table.played, np.nan_to_num(table.points_per_battle), parameters),
        parameters=parameters,
        seed=seed,
    )
