"""The order sensitivity of the board (LLMEval, figures 5 and 6): over random orders, and along the log."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arena.domain.schemas.board_details import OrderSensitivityView, OrdersTableView, RatingPathView
from arena_rating import components, order_stability, pair_counts, window_stability

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from arena.usecases.ranking.methods import Method
    from arena_rating import Comparisons, OrderStability, Trace, Traces

WINDOWS: Final = 20
DECIMALS: Final = 4
"""Decimals of all numbers here, which are for charts; the exact ratings are on the board."""


def orders(log: Comparisons, method: Method) -> OrdersTableView:
    """The movement of Elo ratings and ranks, compared with points and Bradley-Terry."""
    parameters = method.parameters
    if not len(log):
        return OrdersTableView(votes=0, orders=parameters.elo.orders, rows=[], ends=[], paths=[])
    over = order_stability(log, parameters.elo, seed=method.seed, prior=parameters.prior)
    label = components(pair_counts(log).battles)
    rows = [_row(over, label, place) for place in range(len(log.names)) if over.rank_best[place] > 0]
    along = window_stability(log, parameters.elo, windows=min(WINDOWS, len(log)), prior=parameters.prior)
    return OrdersTableView(
        votes=len(log),
        orders=parameters.elo.orders,
        rows=rows,
        ends=along.ends.tolist(),
        paths=list(_paths(along.names, along.running)),
    )


def _row(over: OrderStability, label: NDArray[np.int64], i: int) -> OrderSensitivityView:
    best, worst = int(over.rank_best[i]), int(over.rank_worst[i])
    mean, spread, low, high = (round(float(c[i]), DECIMALS) for c in (over.mean, over.spread, over.low, over.high))
    return OrderSensitivityView(
        name=over.names[i],
        component=int(label[i]),
        mean=mean,
        spread=spread,
        low=low,
        high=high,
        rank_best=best,
        rank_worst=worst,
        rank_share=over.rank_share[i, best - 1 : worst].round(DECIMALS).tolist(),
        points_rank=int(over.points_rank[i]),
        bt_rank=int(over.bradley_terry_rank[i]),
    )


def _paths(names: tuple[str, ...], running: Traces) -> Iterator[RatingPathView]:
    traces = {"elo": running.elo, "points": running.points, "bt": running.bradley_terry}
    for i, name in enumerate(names):
        if running.elo.rank[-1, i] > 0:
            cells = [_cells(key, trace, i) for key, trace in traces.items()]
            yield RatingPathView(name=name, **dict(chain.from_iterable(cells)))


def _cells(key: str, trace: Trace, i: int) -> Iterator[tuple[str, list[Any]]]:
    yield key, [None if np.isnan(value) else round(float(value), DECIMALS) for value in trace.rating[:, i]]
    yield f"{key}_rank", [int(rank) or None for rank in trace.rank[:, i]]
