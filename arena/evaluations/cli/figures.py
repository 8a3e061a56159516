"""Figures in sentences of commands."""

from __future__ import annotations

import math
from typing import Final

_CENTS: Final = 2
_ALL: Final = 100
_NEARLY: Final = 99
"""Per cent above which tenths are written."""


def dollars(value: float) -> str:
    """An amount of US dollars in cents; a smaller one than 10 cents has two digits that are not 0 at the beginning."""
    digits = _CENTS - 1 - math.floor(math.log10(value)) if value > 0 else _CENTS
    return f"${value:.{max(_CENTS, digits)}f}"


def percent(share: float) -> str:
    """A share in whole per cent; nearly all of it in tenths, rounded down, and hardly any is under 1 %."""
    value = _ALL * share
    if _NEARLY < value < _ALL:
        return f"{math.floor(10 * value) / 10:.1f} %"
    return "under 1 %" if 0 < value < 1 else f"{value:.0f} %"
