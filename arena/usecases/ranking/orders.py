"""The order sensitivity of the board (LLMEval, figures 5 and 6): over random orders, and over time."""

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
"""Decimals of all numbers here, which are for charts only; the board has the published ratings."""


def orders(log: Comparisons, method: Method) -> OrdersTableView:
    """Variation of Elo ratings and ranks over random orders and over the log, beside points and Bradley-Terry."""
    parameters = method.parameters
    if not len(log):
        return OrdersTableView(votes=0, orders=parameters.elo.orders, rows=[], ends=[], paths=[])
    stability = order_stability(log, parameters.elo, seed=method.seed, prior=parameters.prior)
    component = components(pair_counts(log).battles)
    rows = [_row(stability, component, i) for i in range(len(log.names)) if stability.rank_best[i] > 0]
    windows = window_stability(log, parameters.elo, windows=min(WINDOWS, len(log)), prior=parameters.prior)
    return OrdersTableView(
        votes=len(log),
        orders=parameters.elo.orders,
        rows=rows,
        ends=windows.ends.tolist(),
        paths=list(_paths(windows.names, windows.running)),
    )


def _row(result: OrderStability, component: NDArray[np.int64], i: int) -> OrderSensitivityView:
    best, worst = int(result.rank_best[i]), int(result.rank_worst[i])
    columns = (result.mean, result.spread, result.low, result.high)
    mean, spread, low, high = (round(float(column[i]), DECIMALS) for column in columns)
    return OrderSensitivityView(
        name=result.names[i],
        component=int(component[i]),
        mean=mean,
        spread=spread,
        low=low,
        high=high,
        rank_best=best,
        rank_worst=worst,
        rank_share=result.rank_share[i, best - 1 : worst].round(DECIMALS).tolist(),
        points_rank=int(result.points_rank[i]),
        bt_rank=int(result.bradley_terry_rank[i]),
    )


def _paths(names: tuple[str, ...], traces: Traces) -> Iterator[RatingPathView]:
    by_method = {"elo": traces.elo, "points": traces.points, "bt": traces.bradley_terry}
    for i, name in enumerate(names):
        if traces.elo.rank[-1, i] > 0:
            cells = [_cells(key, trace, i) for key, trace in by_method.items()]
            yield RatingPathView(name=name, **dict(chain.from_iterable(cells)))


def _cells(key: str, trace: Trace, i: int) -> Iterator[tuple[str, list[Any]]]:
    yield key, [None if np.isnan(value) else round(float(value), DECIMALS) for value in trace.rating[:, i]]
    yield f"{key}_rank", [int(rank) or None for rank in trace.rank[:, i]]
