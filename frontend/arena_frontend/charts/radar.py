"""Figures of one or several models by category or area, on a wheel."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from arena_frontend.charts.scales import marks, pad

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH, HEIGHT, RADIUS = 560, 400, 142
X, Y = WIDTH / 2, HEIGHT / 2
DRAWN: Final = 5
"""Models on a wheel of areas."""
SPOKES: Final = 3
"""Areas from which there is one."""


def radar(ratings: Sequence[tuple[str, Sequence[float]]], least: float = 20) -> dict[str, Any]:
    """Return the wheel of names, each with a value of every model; the scale is at least `least` wide."""
    low, high = pad([value for _, values in ratings for value in values], 0.15, least)

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
    values = zip(*(values for _, values in ratings), strict=True)
    stars = [[at(place, out(value)) for place, value in enumerate(line)] for line in values]
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "x": X,
        "y": Y,
        "rings": [(value, out(value)) for value in marks(low, high, 4) if out(value) > 0],
        "spokes": spokes,
        "stars": stars,
    }


def wheel(lines: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """A table of a line for each area as a wheel of its first models, which all areas on it know.

    None where these are few areas, or all values are the same: such a wheel has no scale.
    """
    models = [name for name in lines[0] if name != "area"][:DRAWN]
    spokes = [(line["area"], [line[model] for model in models]) for line in lines if line["area"]]
    complete = [spoke for spoke in spokes if None not in spoke[1]]
    values = {value for _, spoke in complete for value in spoke}
    return radar(complete, 0.0) | {"models": models} if len(complete) >= SPOKES and len(values) > 1 else None


def _anchor(x: float) -> str:
    return "middle" if abs(x - X) < 12 else "start" if x > X else "end"  # nearly above the hub
