"""The clock of a battle: both answers leave on it alike, so that speed and chunk size reveal little of the models.

Text leaves in segments of a fixed time at a fixed rate. A segment begins at a fixed beat, and only once both sides have
all of it or have ended; else both wait for the next beat. So what a reader sees of the models' timing is the number of
beats that both had to wait, and nothing of a model that keeps up. `uv run benchmarks blindness` measures how much can
be told from that.
"""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field, replace
from typing import TYPE_CHECKING, Final

from arena.domain.blinding.units import prefix_length, units_of
from arena.domain.terms import Side

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOW_TIME: Final = 60.0
"""Seconds that showing may take after the models have finished; then a turn is overdue."""
KNOWN_SPEEDUP: Final = 16
"""Factor on the rate when the models are known."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The common clock of both sides.

    Attributes:
        interval: Seconds between frames.
        rate: Units per second that are released on each side.
        start: Earliest time of the first frame in seconds since the question.
        segment: Seconds of text that both sides must have before any of it is shown, and between two beats; up to an
            interval it is whatever both have.
    """

    interval: float = 0.1
    rate: float = 240
    start: float = 1.8
    segment: float = 0.0

    @property
    def named(self) -> Pace:
        """The pace for models whose names are known, where nothing needs hiding."""
        return replace(self, rate=KNOWN_SPEEDUP * self.rate, start=0.0, segment=0.0)

    @property
    def quantum(self) -> int:
        """Units per side in a frame."""
        return max(1, round(self.rate * self.interval))

    @property
    def frames(self) -> int:
        """Frames in a segment."""
        return max(1, round(self.segment / self.interval))


@dataclass(frozen=True, slots=True)
class Frame:
    """The release of one tick: text per side, and the sides that are complete with it."""

    text: dict[Side, str]
    done: tuple[Side, ...] = ()


@dataclass(slots=True)
class _Lane:
    """One side: its text that waits, in units too, and the units that it may release and has not."""

    waiting: str = ""
    units: int = 0
    allowed: int = 0
    ended: bool = False
    done: bool = False

    @property
    def withheld(self) -> int:
        """Units that it could be allowed now."""
        return self.units - self.allowed

    def take(self, units: int) -> str:
        """Release what fits into so many units more; half a wide character is owed until the next time."""
        self.allowed += units
        count = prefix_length(self.waiting, self.allowed)
        text, self.waiting = self.waiting[:count], self.waiting[count:]
        spent = units_of(text)
        self.units, self.allowed = self.units - spent, self.allowed - spent if self.waiting else 0
        return text


@dataclass(slots=True)
class Pacer:
    """Buffers text as it arrives and releases it in frames; from `limit` seconds after the question all at once."""

    pace: Pace
    limit: float
    sides: InitVar[Iterable[Side]] = Side
    _lanes: dict[Side, _Lane] = field(init=False)
    _left: int = 0
    """Frames that are left of this segment, or until the next beat."""
    _flowing: bool = False

    def __post_init__(self, sides: Iterable[Side]) -> None:
        self._lanes = {side: _Lane() for side in sides}

    def feed(self, side: Side, text: str) -> None:
        """Add text that an endpoint has sent."""
        lane = self._lanes[side]
        lane.waiting += text
        lane.units += units_of(text)

    def end(self, side: Side) -> None:
        """Mark a side as complete at its endpoint."""
        self._lanes[side].ended = True

    @property
    def finished(self) -> bool:
        """Whether both answers have been released completely."""
        return all(lane.done for lane in self._lanes.values())

    def frame(self, now: float) -> Frame:
        """Release the next units `now` seconds after the question; an empty frame before the start or in a pause."""
        if now < min(self.pace.start, self.limit):
            return Frame({})
        open_lanes = {side: lane for side, lane in self._lanes.items() if not lane.done}
        units = self._units(list(open_lanes.values()), now)
        if not units:
            return Frame({})
        text = {side: released for side, lane in open_lanes.items() if (released := lane.take(units))}
        return Frame(text, self._complete(open_lanes))

    def _units(self, lanes: list[_Lane], now: float) -> int:
        """Units of this frame on each side; a side that has ended does not limit the other."""
        if now >= self.limit:
            return max((lane.units for lane in lanes), default=0)
        ready = [lane.withheld for lane in lanes if not lane.ended]
        if not self._left:
            whole = self.pace.quantum * self.pace.frames if self.pace.frames > 1 else 1
            self._flowing, self._left = min(ready, default=whole) >= whole, self.pace.frames
        self._left -= 1
        return min([self.pace.quantum, *ready]) if self._flowing else 0

    @staticmethod
    def _complete(lanes: dict[Side, _Lane]) -> tuple[Side, ...]:
        complete = tuple(side for side, lane in lanes.items() if lane.ended and not lane.waiting)
        for side in complete:
            lanes[side].done = True
        return complete
