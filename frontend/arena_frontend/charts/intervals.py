"""Ratings with their intervals on a common scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from arena_frontend.charts.scales import marks, pad

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True)
class Ends:
    """Left and right end of a scale."""

    low: float
    high: float

    def place(self, value: float) -> float:
        """Return where a value lies, in per cent of the width; what lies outside is at the nearer end."""
        return round(min(max((value - self.low) / (self.high - self.low), 0), 1) * 100, 2)

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


class Scored(Protocol):
    """A row of a board with the score that ranks it and its bounds, if they are known."""

    @property
    def score(self) -> float | None: ...
    @property
    def score_low(self) -> float | None: ...
    @property
    def score_high(self) -> float | None: ...


@dataclass(frozen=True)
class Interval:
    """A rating with its bounds."""

    value: float
    low: float
    high: float


def interval(value: float | None, low: float | None, high: float | None) -> Interval | None:
    """Return the interval of a value; bounds that are not known are the value itself."""
    return None if value is None else Interval(value, value if low is None else low, value if high is None else high)


def ends(rows: Sequence[Rated]) -> Ends:
    """Return the scale that has room for the intervals of all ratings."""
    return _room((interval(row.bt, row.bt_low, row.bt_high) for row in rows), 10)


def score_ends(rows: Sequence[Scored], least: float) -> Ends:
    """Return the scale that has room for the intervals of all scores, with a margin of at least so much."""
    return _room((interval(row.score, row.score_low, row.score_high) for row in rows), least)


def _room(intervals: Iterable[Interval | None], least: float) -> Ends:
    values = [bound for interval in intervals if interval for bound in (interval.low, interval.high)]
    return Ends(*pad(values or [0.0], 0.05, least))
