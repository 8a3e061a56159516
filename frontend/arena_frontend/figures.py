"""Figures as they are shown; English and Chinese write them alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.domain.figures import per_cent

if TYPE_CHECKING:
    from datetime import datetime

FORMATS: Final = (
    "whole",
    "tenth",
    "cents",
    "plain",
    "share",
    "percent",
    "plain_percent",
    "tokens",
    "signed",
    "moment",
    "day",
)
"""Names of the functions that templates use as filters."""
_KILO: Final = 1024


def whole(value: float) -> str:
    """Write a number without a fraction."""
    return f"{value:,.0f}"


def tenth(value: float) -> str:
    """Write one digit behind the point."""
    return f"{value:,.1f}"


def cents(value: float) -> str:
    """Write two digits behind the point."""
    return f"{value:,.2f}"


def plain(value: float, digits: int = 1) -> str:
    """Write at most so many digits behind the point."""
    return _without_zeros(f"{value:,.{digits}f}")


def share(value: float) -> str:
    """Write a share in whole per cent."""
    return f"{per_cent(value)}%"


def percent(value: float) -> str:
    """Write a share with a tenth of a per cent."""
    return f"{per_cent(value, 1)}%"


def plain_percent(value: float, digits: int = 1) -> str:
    """Write a share in per cent with at most so many digits behind the point."""
    return f"{_without_zeros(per_cent(value, digits))}%"


def signed(value: float, digits: int = 2) -> str:
    """Write a difference with its sign."""
    size = f"{abs(value):.{digits}f}"
    return f"{'' if not float(size) else '−' if value < 0 else '+'}{size}"


def tokens(count: int) -> str:
    """Write 131,072 tokens as 128K and 1,048,576 as 1M; other numbers count by thousands."""
    step = 1000 if count % _KILO else _KILO
    million = count >= step**2 if step == 1000 else count % step**2 == 0  # as above
    return f"{plain(count / step**2)}M" if million else f"{plain(count / step)}K" if count >= step else str(count)


def moment(at: datetime) -> str:
    """Write a time to the minute."""
    return f"{at:%Y-%m-%d %H:%M} UTC"


def day(at: datetime) -> str:
    """Write a date."""
    return f"{at:%Y-%m-%d}"


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text
