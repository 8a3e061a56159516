"""Score against price or size: a point per model whose owner has told the figure, on a logarithmic scale."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from arena_frontend.charts.intervals import interval
from arena_frontend.charts.plot import LEFT, RIGHT, TOP, Plot
from arena_frontend.charts.scales import levels, marks, pad, scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.domain.schemas.leaderboard import LeaderboardRowView

PLOT = Plot(420)
_LINE, _LETTER = 14, 6.6
_Box = tuple[float, float, float, float]
Figure = tuple["LeaderboardRowView", float | None]


def scatter(figures: Sequence[Figure]) -> dict[str, object] | None:
    """Return the points of rows with their figures; None without any."""
    priced = [(row, at) for row, at in figures if at and at > 0]
    points = [(row, at, score) for row, at in priced if (score := interval(row.bt, row.bt_low, row.bt_high))]
    if not points:
        return None
    left, right = pad([math.log10(at) for _, at, _ in points], 0.08, 0.15)
    low, high = pad([bound for *_, score in points for bound in (score.low, score.high)], 0.06, 10)
    x, y = scale(left, right, LEFT, RIGHT), scale(low, high, PLOT.bottom, TOP)
    taken: list[_Box] = []
    drawn = [
        {
            "row": row,
            "at": at,
            "x": x(math.log10(at)),
            "y": y(score.value),
            "top": y(score.high),
            "bottom": y(score.low),
            "name": _name(row.name, x(math.log10(at)), y(score.value), taken),
        }
        for row, at, score in sorted(points, key=lambda point: -point[2].value)
    ]
    return {
        **PLOT.places(),
        "levels": levels(marks(low, high), y),
        "decades": [(value, x(math.log10(value))) for value in _decades(left, right)],
        "points": drawn,
        "missing": len(figures) - len(points),
    }


def _decades(left: float, right: float) -> list[float]:
    """1, 2 and 5 of each power of ten within the bounds."""
    values = [factor * 10.0**power for power in range(math.floor(left), math.ceil(right) + 1) for factor in (1, 2, 5)]
    return [value for value in values if left <= math.log10(value) <= right]


def _name(name: str, x: float, y: float, taken: list[_Box]) -> dict[str, object] | None:
    """The place of a name, only where it covers no other: beside its point, or before it where the picture ends."""
    wide = len(name) * _LETTER
    turned = x + 9 + wide > RIGHT
    left, right = (x - 9 - wide, x + 5) if turned else (x - 5, x + 9 + wide)
    top, bottom = y - _LINE / 2, y + _LINE / 2
    if left < 0 or any(left < r and l < right and top < b and t < bottom for l, r, t, b in taken):  # noqa: E741
        return None
    taken.append((left, right, top, bottom))
    return {"x": x - 9 if turned else x + 9, "y": y + 4, "anchor": "end" if turned else "start"}
