"""Ratings of a model by category, on a wheel."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from arena_frontend.charts.scales import marks, pad

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT, RADIUS = 560, 400, 142
X, Y = WIDTH / 2, HEIGHT / 2


def radar(ratings: Sequence[tuple[str, float]]) -> dict[str, Any]:
    """Return the wheel of names and ratings."""
    low, high = pad([value for _, value in ratings], 0.15, 20)

    def out(value: float) -> float:
        return round((value - low) / (high - low) * RADIUS, 1)

    def at(place: int, distance: float) -> tuple[float, float]:
        angle = place / len(ratings) * 2 * math.pi - math.pi / 2
        return round(X + math.cos(angle) * distance, 1), round(Y + math.sin(angle) * distance, 1)

    spokes = [
        {
            "name": name,
            "end": at(place, RADIUS),
            "label": (label := at(place, RADIUS + 16)),
            "anchor": _anchor(label[0]),
        }
        for place, (name, _) in enumerate(ratings)
    ]
    points = [at(place, out(value)) for place, (_, value) in enumerate(ratings)]
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "x": X,
        "y": Y,
        "rings": [(value, out(value)) for value in marks(low, high, 4) if out(value) > 0],
        "spokes": spokes,
        "points": points,
    }


def _anchor(x: float) -> str:
    return "middle" if abs(x - X) < 12 else "start" if x > X else "end"  # noqa: PLR2004 - nearly above the hub
