"""Ratings over time."""

from __future__ import annotations

from datetime import datetime

from arena.domain.schemas.base import Wire


class MomentView(Wire):
    """One leaderboard of a time series."""

    snapshot: int
    votes: int
    created_at: datetime


class CourseView(Wire):
    """Ratings of one competitor at each moment; null while it is not on the board."""

    name: str
    elo: list[float | None]
    bt: list[float | None]
    rank: list[int | None]


class HistoryView(Wire):
    """Ratings over time from the kept snapshots, oldest first."""

    moments: list[MomentView]
    courses: list[CourseView]
