"""Proportions with confidence intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Figure = TypeVar("Figure", float, "NDArray[np.float64]")

_Z: Final = 1.959964
"""Normal quantile of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure from `n` observations with its 95 % interval; nan where it is undefined."""

    value: float
    low: float
    high: float
    n: int


def share(part: float, total: int) -> Estimate:
    """The share of `part` in `total` with Wilson's score interval (1927), valid near 0 and 1 too.

    A tie may count as half a success, which makes the interval conservative.
    """
    if not total:
        return Estimate(math.nan, math.nan, math.nan, 0)
    value = part / total
    low, high = wilson(value, total, _Z)
    return Estimate(value, max(0.0, low), min(1.0, high), total)


def wilson(value: Figure, total: Figure, z: float) -> tuple[Figure, Figure]:
    """Wilson's score interval (1927) of the share `value` of `total`, floats or arrays; `z` is 1.96 for 95 %."""
    spread = z * z / total
    middle = (value + spread / 2) / (1 + spread)
    half: Any = (spread * (value * (1 - value) + spread / 4)) ** 0.5 / (1 + spread)
    return middle - half, middle + half


def finite(value: float | None) -> float | None:
    """The value, or None where it is None, nan or infinite."""
    return None if value is None or not math.isfinite(value) else float(value)
