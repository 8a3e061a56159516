"""How far the models are apart by each of several measures, as violins (SuperCLUE, figure 7)."""

from __future__ import annotations

import math
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any, Final

from arena_frontend.charts.scales import levels, scale

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 560, 260, 46, 14, 14
MIN_MODELS: Final = 5
"""Models from which a measure has a violin; a density of fewer would show the kernel only."""
_STEPS: Final = 100
_THIN: Final = 0.01
"""Part of the widest place below which an outline ends."""


def violins(measures: Mapping[str, Sequence[tuple[str, float]]]) -> dict[str, Any] | None:
    """Return a violin of each measure, whose values are shares by model, with its coefficient of variation."""
    shown = {name: points for name, points in measures.items() if len(points) >= MIN_MODELS and _spread(points)}
    if not shown:
        return None
    y, wide = scale(0, 1, HEIGHT - BOTTOM, TOP), (WIDTH - LEFT) / len(shown)
    places = [LEFT + wide * (number + 0.5) for number in range(len(shown))]
    parts = [
        {
            "name": name,
            "x": round(x, 1),
            "outline": [(round(x + side * wide * 0.4 * width, 1), y(share)) for side, share, width in _outline(points)],
            "points": [(model, value, y(value)) for model, value in points],
            "variation": _spread(points) / fmean(value for _, value in points),
        }
        for x, (name, points) in zip(places, shown.items(), strict=True)
    ]
    ticks = levels([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], y)
    return {"width": WIDTH, "height": HEIGHT, "left": LEFT, "levels": ticks, "parts": parts}


def _spread(points: Sequence[tuple[str, float]]) -> float:
    return stdev(value for _, value in points)


def _outline(points: Sequence[tuple[str, float]]) -> list[tuple[int, float, float]]:
    """Side, share and half width along the outline: a Gaussian kernel of Scott's width, 1 at the widest place."""
    kernel = _spread(points) * len(points) ** -0.2
    shares = [step / _STEPS for step in range(_STEPS + 1)]
    heights = [math.fsum(math.exp(-(((share - value) / kernel) ** 2) / 2) for _, value in points) for share in shares]
    widths = [(share, height / max(heights)) for share, height in zip(shares, heights, strict=True)]
    right = [(1, share, width) for share, width in widths if width > _THIN]
    return [*right, *((-1, share, width) for _, share, width in reversed(right))]
