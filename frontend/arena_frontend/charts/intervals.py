"""Ratings with their intervals on a common scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from arena_frontend.charts.scales import marks, pad

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Ends:
    """Left and right end of a scale."""

    low: float
    high: float

    def place(self, value: float) -> float:
        """Return where a value lies, in per cent of the width."""
        return round((value - self.low) / (self.high - self.low) * 100, 2)

    @property
    def ticks(self) -> list[tuple[float, float]]:
        """Round values with their places."""
        return [(value, self.place(value)) for value in marks(self.low, self.high)]


class Rated(Protocol):
    """A row with a rating and its bounds, if they are known."""

    @property
    def bt(self) -> float | None: ...
    @property
    def bt_low(self) -> float | None: ...
    @property
    def bt_high(self) -> float | None: ...


@dataclass(frozen=True)
class Interval:
    """A rating with its bounds."""

    value: float
    low: float
    high: float


def interval(row: Rated) -> Interval | None:
    """Return the interval of a row's rating; its bounds are the rating itself if they are unknown."""
    if row.bt is None:
        return None
    return Interval(
        row.bt, row.bt if row.bt_low is None else row.bt_low, row.bt if row.bt_high is None else row.bt_high
    )


def ends(rows: Sequence[Rated]) -> Ends:
    """Return the scale that has room for the intervals of all rows."""
    known = [found for row in rows if (found := interval(row))]
    values = [bound for found in known for bound in (found.low, found.high)]
    return Ends(*pad(values or [0.0], 0.05, 10))
