"""Ranks of a board by the score that a reader chooses, with its interval."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from functools import partial
from itertools import groupby
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.terms import JsonObject
from arena_rating.board.parameters import METHODS_WITH_CLAIMS
from arena_rating.clusters import MIN_CLUSTERS, MIN_VOTES, claim_half_width
from arena_rating.elo import SETTLED, EloParameters, way_left
from arena_rating.student import student_quantile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from arena.domain.schemas.leaderboard import LeaderboardRowView, RankedBy

LEVEL: Final = 0.95
_PLACE: Final = ("component", "rank", "rank_low", "rank_high")
_DEFAULTS: Final[Mapping[str, object]] = {}
Score = tuple[float | None, float | None, float | None]
"""A value with the bounds of its interval."""


def rank_by(
    rows: Sequence[LeaderboardRowView], by: RankedBy, parameters: JsonObject = _DEFAULTS
) -> list[LeaderboardRowView]:
    """The rows in order of a score, with its interval, and whether their Elo has settled.

    `parameters` are those of the snapshot: the level of intervals, and the constants of Elo. Ranks by Bradley-Terry are
    the published ones, which hold for all models at once. By another score the ranks follow from the intervals, each
    for one model alone: it is behind those whose interval lies above its own. Boards of the method with claims take
    bounds that hold at all looks instead, and any rank below the votes or clusters that a claim needs.
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
    ends = _ends_of_look
    if has_claims(parameters.get("method")):
        ends = partial(_ends_of_path, unit=_UNITS[by], level=level, is_young=battles.sum() < 2 * MIN_VOTES)
    groups = groupby(sorted(with_scores, key=lambda row: row.component), key=lambda row: row.component)
    return [row for _, group in groups for row in _rank_rows(list(group), ends)]


def practice_apart(rows: Sequence[LeaderboardRowView]) -> list[LeaderboardRowView]:
    """The rows in order of their places, as `places` gives them."""
    lines = [{name: getattr(row, name) for name in ("demo", *_PLACE)} for row in rows]
    placed = [row.model_copy(update=place) for row, place in zip(rows, places(lines), strict=True)]
    return sorted(placed, key=lambda row: (row.component, row.rank))


def places(lines: Sequence[JsonObject]) -> list[JsonObject]:
    """Component, rank and rank bounds of each line of a board, on which practice models take no place of a real one.

    Once there is a real model, they are the last component, whatever models they have met, and the others are numbered
    by their real models. A real model's rank and bounds lose the practice models before it, so its bounds still hold.
    """
    practice = sorted((line["component"], line["rank"]) for line in lines if line.get("demo"))
    sizes = Counter[int](line["component"] for line in lines if not line.get("demo"))
    if not (practice and sizes):
        return [{name: line[name] for name in _PLACE} for line in lines]
    order = sorted(sizes, key=lambda component: (-sizes[component], component))
    return [dict(zip(_PLACE, _place(line, practice, sizes, order), strict=True)) for line in lines]


def _place(
    line: JsonObject, practice: list[tuple[int, int]], sizes: Mapping[int, int], order: list[int]
) -> tuple[int, int, int, int]:
    component, rank, low, high = (line[name] for name in _PLACE)
    ahead = bisect_left(practice, (component, rank))
    if line.get("demo"):
        return len(order), 1 + ahead, 1, len(practice)
    ahead -= bisect_left(practice, (component, 0))
    return order.index(component), rank - ahead, max(low - ahead, 1), min(high - ahead, sizes[component])


def has_claims(method: str | None) -> bool:
    """Whether the rank bounds of a method's boards hold at all looks."""
    return method in METHODS_WITH_CLAIMS


def _score_fields(score: Score) -> JsonObject:
    return dict(zip(("score", "score_low", "score_high"), score, strict=True))


def _rank_rows(
    rows: list[LeaderboardRowView], ends: Callable[[LeaderboardRowView], tuple[float, float]]
) -> list[LeaderboardRowView]:
    """The rows of one component, ordered and ranked by score and its ends; with infinite ends any rank is possible."""
    scores = sorted(-(row.score or 0.0) for row in rows)
    bounds = [ends(row) for row in rows]
    lows, highs = sorted(low for low, _ in bounds), sorted(high for _, high in bounds)
    rows = [
        row.model_copy(
            update={
                "rank": 1 + bisect_left(scores, -(row.score or 0.0)),
                "rank_low": 1 + len(lows) - bisect_right(lows, high),
                "rank_high": len(highs) - bisect_left(highs, low),
            }
        )
        for row, (low, high) in zip(rows, bounds, strict=True)
    ]
    return sorted(rows, key=lambda row: (row.rank, row.name))


def _ends_of_look(row: LeaderboardRowView) -> tuple[float, float]:
    low, high = row.score_low, row.score_high
    return -math.inf if low is None else low, math.inf if high is None else high


def _ends_of_path(row: LeaderboardRowView, unit: float, level: float, *, is_young: bool) -> tuple[float, float]:
    """Bounds of a score that hold at all looks, from its interval; `unit` is one of log-odds in that of the score."""
    low, high = _ends_of_look(row)
    if is_young or (row.clusters or 0) < MIN_CLUSTERS or not math.isfinite(high - low):
        return -math.inf, math.inf
    value, z = row.score or 0.0, NormalDist().inv_cdf(0.5 + level / 2)
    below, above = (claim_half_width(half / (z * unit), z, level) * unit for half in (value - low, high - value))
    return value - below, value + above


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


_UNITS: Final[dict[RankedBy, float]] = {"elo": 400 / math.log(10), "points": 0.25, "win": 0.25}
"""One of log-odds in the unit of each score, that of a rate at a half."""
_SCORES: dict[RankedBy, Callable[[LeaderboardRowView, float], Score]] = {
    "bt": lambda row, _: (row.bt, row.bt_low, row.bt_high),
    "elo": lambda row, _: (row.elo, row.elo_low, row.elo_high),
    "points": lambda row, level: _rate(row, "points_per_battle", level),
    "win": lambda row, level: _rate(row, "win_rate", level),
}
