"""Sensitivity of the board to the order of votes."""

from __future__ import annotations

from arena.domain.schemas.base import Wire
from arena.domain.schemas.leaderboard import SnapshotView


class OrderSensitivityView(Wire):
    """Sensitivity of one competitor's rating and rank to the order of votes.

    `rank_share` has the shares of orders with each rank from `rank_best` to `rank_worst`; the other two ranks do not
    depend on the order.
    """

    name: str
    component: int
    mean: float
    spread: float
    low: float
    high: float
    rank_best: int
    rank_worst: int
    rank_share: list[float]
    points_rank: int
    bt_rank: int


class RatingPathView(Wire):
    """Ratings and ranks of one competitor after each window of the log; null before its first battle."""

    name: str
    elo: list[float | None]
    points: list[float | None]
    bt: list[float | None]
    elo_rank: list[int | None]
    points_rank: list[int | None]
    bt_rank: list[int | None]


class OrdersTableView(Wire):
    """Order sensitivity: over `orders` random orders, and along the log at the vote numbers `ends`."""

    votes: int
    orders: int
    rows: list[OrderSensitivityView]
    ends: list[int]
    paths: list[RatingPathView]


class OrdersView(OrdersTableView):
    """The order sensitivity of the newest snapshot that has it."""

    snapshot: SnapshotView
