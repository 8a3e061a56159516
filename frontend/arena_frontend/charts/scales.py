"""Scales of charts, their ticks, and lines through points."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Scale = Callable[[float], float]


def scale(start: float, end: float, low: float, high: float) -> Scale:
    """Return the linear function that maps `start` to `low` and `end` to `high`; without a span all lies between."""
    if start == end:
        return lambda _: (low + high) / 2
    return lambda value: round(low + (value - start) / (end - start) * (high - low), 1)


def marks(low: float, high: float, count: int = 5) -> list[float]:
    """Return about `count` round values between two values."""
    rough = max((high - low) / count, 1e-9)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(size for size in (power, 2 * power, 5 * power, 10 * power) if size >= rough * (1 - 1e-9))
    first = math.ceil(low / step)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


def levels(values: Sequence[float], y: Scale) -> list[tuple[float, float]]:
    """Return values of an axis with their places."""
    return [(value, y(value)) for value in values]


def path(values: Sequence[float | None], x: Callable[[int], float], y: Scale) -> str:
    """Return the line through points as the data of an SVG path, interrupted where one is missing."""
    parts, pen = list[str](), "M"
    for place, value in enumerate(values):
        if value is None:
            pen = "M"
        else:
            parts.append(f"{pen}{x(place)} {y(value)}")
            pen = "L"
    return "".join(parts)


def pad(values: Sequence[float], part: float, least: float) -> tuple[float, float]:
    """Return the bounds of values with a margin of a part of their span."""
    low, high = min(values), max(values)
    margin = max(least, (high - low) * part)
    return low - margin, high + margin
