"""Bootstrapped Elo: a percentile interval over resampled logs (Chatbot Arena)."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_rating.comparisons import Comparisons
from arena_rating.elo import EloParameters, elo_by_order
from arena_rating.errors import BadParameters


@dataclass(frozen=True, slots=True, eq=False)
class BootstrappedElo:
    """Percentiles over resampled logs, in points; float64 [m] each. A constant K keeps the interval above 0.

    Attributes:
        names: The m competitors.
        rating: Median over the rounds.
        low: Lower end of the percentile interval.
        high: Upper end.
        level: Nominal coverage of the intervals.
        parameters: As given; its `orders` are the rounds.
        seed: As given.
    """

    names: tuple[str, ...]
    rating: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    level: float
    parameters: EloParameters
    seed: int


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
    return BootstrappedElo(
        names=comparisons.names, rating=rating, low=low, high=high, level=level, parameters=parameters, seed=seed
    )
