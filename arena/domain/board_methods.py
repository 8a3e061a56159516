"""Ranks of a board by the score that a reader chooses, with its interval."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from itertools import groupby
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.terms import JsonObject
from arena_rating.elo import SETTLED, EloParameters, way_left
from arena_rating.student import student_quantile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from arena.domain.schemas.leaderboard import LeaderboardRowView, RankedBy

LEVEL: Final = 0.95
_DEFAULTS: Final[Mapping[str, object]] = {}
Score = tuple[float | None, float | None, float | None]
"""A value with the bounds of its interval."""


def rank_by(
    rows: Sequence[LeaderboardRowView], by: RankedBy, parameters: JsonObject = _DEFAULTS
) -> list[LeaderboardRowView]:
    """The rows in order of a score, with its interval, and whether their Elo has settled.

    `parameters` are those of the snapshot: the level of intervals, and the constants of Elo. Ranks by Bradley-Terry are
    the published ones, which hold for all models at once. By another score the ranks follow from the intervals, each
    for one model alone: it is behind those whose interval lies above its own.
    """
    level, elo = parameters.get("level", LEVEL), EloParameters(**parameters.get("elo", {}))
    battles, points = (np.array([getattr(row, name) for row in rows]) for name in ("battles", "points_per_battle"))
    way: list[float] = way_left(battles, points, elo).tolist()
    with_scores = [
        row.model_copy(update={"elo_settled": rest <= SETTLED, **_score_fields(_SCORES[by](row, level))})
        for row, rest in zip(rows, way, strict=True)
    ]
    if by == "bt":
        return with_scores
    groups = groupby(sorted(with_scores, key=lambda row: row.component), key=lambda row: row.component)
    return [row for _, group in groups for row in _rank_rows(list(group))]


def _score_fields(score: Score) -> JsonObject:
    return dict(zip(("score", "score_low", "score_high"), score, strict=True))


def _rank_rows(rows: list[LeaderboardRowView]) -> list[LeaderboardRowView]:
    """The rows of one component, ordered and ranked by score; a row without an interval may have any rank."""
    scores = sorted(-(row.score or 0.0) for row in rows)
    lows, highs = sorted(_low(row) for row in rows), sorted(_high(row) for row in rows)
    rows = [
        row.model_copy(
            update={
                "rank": 1 + bisect_left(scores, -(row.score or 0.0)),
                "rank_low": 1 + len(lows) - bisect_right(lows, _high(row)),
                "rank_high": len(highs) - bisect_left(highs, _low(row)),
            }
        )
        for row in rows
    ]
    return sorted(rows, key=lambda row: (row.rank, row.name))


def _low(row: LeaderboardRowView) -> float:
    return -math.inf if row.score_low is None else row.score_low


def _high(row: LeaderboardRowView) -> float:
    return math.inf if row.score_high is None else row.score_high


def _rate(row: LeaderboardRowView, name: str, level: float) -> Score:
    """A rate from 0 to 1 with its interval by cluster; no interval for one cluster.

    Boards from before the rates had intervals have the standard error alone.
    """
    value, error, low, high = (getattr(row, f"{name}{end}") for end in ("", "_error", "_low", "_high"))
    clusters = row.clusters
    if low is not None:
        return value, low, high
    if error is None or clusters <= 1:
        return value, None, None
    half = error * float(student_quantile(level, np.array([clusters - 1.0]))[0])
    return value, round(max(0.0, value - half), 6), round(min(1.0, value + half), 6)


_SCORES: dict[RankedBy, Callable[[LeaderboardRowView, float], Score]] = {
    "bt": lambda row, _: (row.bt, row.bt_low, row.bt_high),
    "elo": lambda row, _: (row.elo, row.elo_low, row.elo_high),
    "points": lambda row, level: _rate(row, "points_per_battle", level),
    "win": lambda row, level: _rate(row, "win_rate", level),
}
