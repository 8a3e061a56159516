"""Ratings by another fit beside the usual ones."""

from __future__ import annotations

from arena.domain.schemas.base import Wire


class RefitView(Wire):
    """One competitor's Bradley-Terry rating by another fit, and its usual one (`plain`) on the same votes."""

    name: str
    component: int
    rank: int
    rank_low: int
    rank_high: int
    bt: float
    bt_low: float
    bt_high: float
    plain: float
    plain_rank: int
