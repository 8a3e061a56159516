"""Stability of ratings and ranks over windows of the log and over its order (LLMEval, figures 5 and 6).

Sequential Elo keeps moving with the last votes however long the log is; points per battle and Bradley-Terry converge,
and neither depends on the order. Ranks are within components of the battles in question; equal ratings share the better
rank, and 0 means no battle.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from arena_rating.bradley_terry import PRIOR, bradley_terry
from arena_rating.comparisons import Comparisons
from arena_rating.components import components
from arena_rating.counts import PairCounts, pair_counts
from arena_rating.elo import EloParameters, elo_by_order, elo_in_order, elo_path
from arena_rating.errors import BadParameters
from arena_rating.points import points_table
from arena_rating.rank_sets import ranks


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """One method at w positions of the log: `rating` float64 [w, m], nan without a battle, and `rank` int64 [w, m]."""

    rating: NDArray[np.float64]
    rank: NDArray[np.int64]

    @property
    def step(self) -> float:
        """Mean absolute change of the rating between positions, in the method's unit; nan without any."""
        return _mean_step(self.rating)

    @property
    def rank_step(self) -> float:
        """Mean absolute change of the rank between positions."""
        return _mean_step(np.where(self.rank > 0, self.rank, np.nan))


@dataclass(frozen=True, slots=True, eq=False)
class Traces:
    """The three methods: sequential Elo and Bradley-Terry in points, points per battle between 0 and 1."""

    elo: Trace
    points: Trace
    bradley_terry: Trace


@dataclass(frozen=True, slots=True, eq=False)
class WindowStability:
    """Ratings in w consecutive windows.

    Attributes:
        names: The m competitors.
        ends: int64 [w], index after each window's last vote.
        alone: Ratings by the votes of each window alone.
        running: Ratings by all votes up to the end of each window.
        parameters: Elo's parameters.
    """

    names: tuple[str, ...]
    ends: NDArray[np.int64]
    alone: Traces
    running: Traces
    parameters: EloParameters


@dataclass(frozen=True, slots=True, eq=False)
class OrderStability:
    """Sequential Elo over B random orders, and two methods that do not depend on the order.

    Attributes:
        names: The m competitors.
        mean: float64 [m], mean rating over the orders, in points; nan, like the other floats, without a battle.
        spread: float64 [m], standard deviation over the orders.
        low: float64 [m], lowest rating.
        high: float64 [m], highest rating.
        rank_share: float64 [m, m]; rank_share[i, r] is the share of the orders in which i had rank r + 1.
        rank_mean: float64 [m], mean rank over the orders.
        rank_best: int64 [m].
        rank_worst: int64 [m].
        points_rank: int64 [m], rank by points per battle.
        bradley_terry_rank: int64 [m].
        parameters: Elo's parameters and the number of orders.
        seed: Seed of the orders.
    """

    names: tuple[str, ...]
    mean: NDArray[np.float64]
    spread: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    rank_share: NDArray[np.float64]
    rank_mean: NDArray[np.float64]
    rank_best: NDArray[np.int64]
    rank_worst: NDArray[np.int64]
    points_rank: NDArray[np.int64]
    bradley_terry_rank: NDArray[np.int64]
    parameters: EloParameters
    seed: int


def window_stability(
    comparisons: Comparisons,
    parameters: EloParameters | None = None,
    *,
    windows: int = 10,
    first: int = 0,
    prior: float = PRIOR,
) -> WindowStability:
    """Split the votes from index `first` on into windows, equal within one vote, and rate at the end of each.

    LLMEval's figure 5 is `running` of 100,100 votes with first=100_000 and windows=100.

    Raises:
        BadParameters: `windows` is not between 1 and the number of votes from `first` on, or `first` is negative.
    """
    parameters = parameters or EloParameters()
    if not (first >= 0 and 1 <= windows <= len(comparisons) - first):
        raise BadParameters("at least one window is needed, with at least one vote in each")
    stops = np.linspace(first, len(comparisons), windows + 1).round().astype(np.int64)
    parts = [_slice(comparisons, int(a), int(b)) for a, b in pairwise(stops)]
    counts = [pair_counts(part) for part in parts]
    previous = pair_counts(_slice(comparisons, 0, first))
    totals = _running_totals(previous, counts)
    return WindowStability(
        names=comparisons.names,
        ends=stops[1:],
        alone=_traces(counts, [elo_in_order(part, parameters) for part in parts], prior, parameters),
        running=_traces(totals, elo_path(comparisons, stops[1:].tolist(), parameters), prior, parameters),
        parameters=parameters,
    )


def order_stability(
    comparisons: Comparisons,
    parameters: EloParameters | None = None,
    *,
    seed: int,
    prior: float = PRIOR,
    executor: Executor | None = None,
) -> OrderStability:
    """Rate the votes in `parameters.orders` random orders, those of `elo_over_orders`."""
    parameters = parameters or EloParameters()
    counts = pair_counts(comparisons)
    label, has_battles = components(counts.battles), counts.battles.any(axis=1)
    elo = np.where(has_battles, elo_by_order(comparisons, parameters, seed, executor, replace=False), np.nan)
    rank = ranks(elo, label)
    return OrderStability(
        names=comparisons.names,
        mean=elo.mean(axis=0),
        spread=elo.std(axis=0, ddof=1),
        low=elo.min(axis=0),
        high=elo.max(axis=0),
        rank_share=rank_shares(rank),
        rank_mean=np.where(has_battles, rank.mean(axis=0), np.nan),
        rank_best=rank.min(axis=0),
        rank_worst=rank.max(axis=0),
        points_rank=ranks(points_table(counts).points_per_battle, label),
        bradley_terry_rank=ranks(_strengths(counts, prior, parameters), label),
        parameters=parameters,
        seed=seed,
    )


def rank_shares(rank: NDArray[np.int64]) -> NDArray[np.float64]:
    """Share of orders by competitor and rank, float64 [m, m], from the ranks [B, m] of B orders; rank 0 is ignored."""
    rows, size = rank.shape
    numbers = [np.bincount(column, minlength=size + 1)[1:] for column in rank.T]
    return np.array(numbers).reshape(size, size) / max(1, rows)


def _slice(log: Comparisons, start: int, stop: int) -> Comparisons:
    part = slice(start, stop)
    return replace(
        log,
        left=log.left[part],
        right=log.right[part],
        outcome=log.outcome[part],
        weight=None if log.weight is None else log.weight[part],
        voter=None,
        category=None,
    )


def _running_totals(total: PairCounts, parts: list[PairCounts]) -> list[PairCounts]:
    sums: list[PairCounts] = []
    for part in parts:
        total = PairCounts(total.names, total.wins + part.wins, total.ties + part.ties, total.both_bad + part.both_bad)
        sums.append(total)
    return sums


def _traces(
    counts: list[PairCounts], elo: list[NDArray[np.float64]], prior: float, parameters: EloParameters
) -> Traces:
    has_battles = [part.battles.any(axis=1) for part in counts]
    label = [components(part.battles) for part in counts]

    def trace(rate: Callable[[int], NDArray[np.float64]]) -> Trace:
        rating = np.array([np.where(has_battles[row], rate(row), np.nan) for row in range(len(counts))])
        return Trace(rating, np.array([ranks(*row) for row in zip(rating, label, strict=True)]))

    return Traces(
        elo=trace(lambda row: elo[row]),
        points=trace(lambda row: points_table(counts[row]).points_per_battle),
        bradley_terry=trace(lambda row: _strengths(counts[row], prior, parameters)),
    )


def _strengths(counts: PairCounts, prior: float, parameters: EloParameters) -> NDArray[np.float64]:
    """Bradley-Terry ratings with the published decimals, so that rounding errors do not decide ranks."""
    rule = parameters
    return bradley_terry(counts, init=rule.init, base=rule.base, scale=rule.scale, prior=prior).rating.round(6)


def _mean_step(column: NDArray[np.float64]) -> float:
    steps = np.abs(np.diff(column, axis=0))
    finite = steps[~np.isnan(steps)]
    return float(finite.mean()) if len(finite) else math.nan
