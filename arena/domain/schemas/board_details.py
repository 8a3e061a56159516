"""Details of a board: its history, the effects of style, and Elo over random orders."""

from __future__ import annotations

from datetime import datetime

from arena.domain.schemas.base import Wire
from arena.domain.schemas.further_fits import RefitView
from arena.domain.schemas.leaderboard import SnapshotView


class MomentView(Wire):
    """One snapshot of a time series."""

    snapshot: int
    votes: int
    created_at: datetime


class CourseView(Wire):
    """Ratings of one competitor at each moment; null when it is not on the board, a rank also if it has no place."""

    name: str
    elo: list[float | None]
    bt: list[float | None]
    rank: list[int | None]


class HistoryView(Wire):
    """Ratings over time, from the stored snapshots, oldest first."""

    moments: list[MomentView]
    courses: list[CourseView]


class StyleFeatureView(Wire):
    """Coefficient of one style feature, in log-odds per root mean square (`spread`) of its differences."""

    name: str
    coefficient: float
    error: float
    spread: float


class StyleTableView(Wire):
    """The style-controlled fit of all votes with measured answers; constant features are `dropped`.

    Best and worst ranks are from differences that hold at all looks, as on the board.
    """

    votes: int
    features: list[StyleFeatureView]
    dropped: list[str]
    rows: list[RefitView]


class StyleView(StyleTableView):
    """The style-controlled fit of the newest snapshot that has one."""

    snapshot: SnapshotView


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
