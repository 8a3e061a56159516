"""Figures in sentences of commands and pages: nearly all is not all, and hardly any is not nothing."""

from __future__ import annotations

import math
from typing import Final

_ALL: Final = 100
_TEN: Final = 10
_CENTS: Final = 2
_ROUNDING: Final = 1e-9


def per_cent(share: float, digits: int = 0) -> str:
    """The number of a share in per cent, with so many digits behind the point.

    Nearly all has a digit more, rounded down, and hardly any is less than the smallest step.
    """
    value, step = _ALL * share, 10.0**-digits
    if _ALL - step < value < _ALL:
        steps = 10 ** (digits + 1)
        return f"{min(math.floor(steps * value + _ROUNDING), _ALL * steps - 1) / steps:.{digits + 1}f}"
    return f"<{step:g}" if 0 < value < step else f"{value:.{digits}f}"


def times(value: float) -> str:
    """The number of times as much, with a digit behind the point below ten."""
    return f"{value:.1f}".removesuffix(".0") if value < _TEN else f"{value:,.0f}"


def dollars(value: float) -> str:
    """An amount of US dollars in cents; a smaller one than 10 cents has two digits that are not 0 at the beginning."""
    digits = _CENTS - 1 - math.floor(math.log10(value)) if value > 0 else _CENTS
    return f"${value:,.{max(_CENTS, digits)}f}"
