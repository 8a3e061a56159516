"""Percentiles that are values which occurred."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

PERCENTS: Final = (50, 95, 99)


def percentiles(seconds: Iterable[float]) -> dict[str, float]:
    """Milliseconds at p50, p95 and p99; of nothing, not a number."""
    ordered = sorted(seconds)
    return {f"p{percent}": _at(ordered, percent) for percent in PERCENTS}


def _at(ordered: list[float], percent: int) -> float:
    return 1000 * ordered[math.ceil(percent / 100 * len(ordered)) - 1] if ordered else math.nan
