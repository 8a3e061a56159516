"""The clock of a battle: both answers are released at one pace, so that timing and chunk size reveal little.

Text is released in segments of a fixed time at a fixed rate. A segment begins at a fixed beat, and only once both sides
have all of it or have ended; else both wait for the next beat. So readers see no more of the models' timing than the
number of beats that both waited. Once both are complete, a long rest leaves faster, at one rate for both sides; that is
decided once, at a fixed moment. `uv run benchmarks blindness` measures how well all that identifies models.
"""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field, replace
from math import ceil
from typing import TYPE_CHECKING, Final

from arena.domain.blinding.units import prefix_length, units_of
from arena.domain.terms import Side

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOW_TIME: Final = 60.0
"""Seconds that the release may take after the models have finished; after that a turn is overdue."""
KNOWN_SPEEDUP: Final = 16
"""Factor on the rate for models whose names are shown."""


REST_TIME: Final = 20.0
"""Seconds in which the rest of two complete answers is shown where it would take longer at the rate."""
LOOK_TIME: Final = 6.0
"""Seconds after the question at which it is seen, once, whether both answers are complete: with more such moments, that
from which answers leave faster names models."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The common clock of both sides.

    Attributes:
        interval: Seconds between frames.
        rate: Units released per second on each side.
        start: Earliest time of the first frame, in seconds since the question.
        segment: Seconds between two beats, and length of the text that both sides must have before any of it is shown.
            Up to one interval, frames have whatever text both sides have.
    """

    interval: float = 0.1
    rate: float = 240
    start: float = 1.8
    segment: float = 0.0

    @property
    def named(self) -> Pace:
        """The pace for models whose names are shown, where timing is no secret."""
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
    """The release of one interval: text per side, and the sides that it completes."""

    text: dict[Side, str]
    done: tuple[Side, ...] = ()


@dataclass(slots=True)
class _Lane:
    """The buffer of one side: `waiting` has `units` units, of which `allowed` may already be released."""

    waiting: str = ""
    units: int = 0
    allowed: int = 0
    ended: bool = False
    done: bool = False
    begun: bool = False
    """Whether text of this side has been released."""

    @property
    def withheld(self) -> int:
        """Units in the buffer that may not be released yet."""
        return self.units - self.allowed

    def take(self, units: int) -> str:
        """Allow `units` more and release the text that fits; a unit short of a wide character stays allowed."""
        self.allowed += units
        count = prefix_length(self.waiting, self.allowed)
        text, self.waiting = self.waiting[:count], self.waiting[count:]
        spent = units_of(text)
        self.units, self.allowed = self.units - spent, self.allowed - spent if self.waiting else 0
        self.begun = self.begun or bool(text)
        return text


@dataclass(slots=True)
class Pacer:
    """Buffers text as it arrives and releases it in frames; `limit` seconds after the question it releases all."""

    pace: Pace
    limit: float
    sides: InitVar[Iterable[Side]] = Side
    _lanes: dict[Side, _Lane] = field(init=False)
    _frames_to_beat: int = 0
    _is_flowing: bool = False
    """Whether the current segment is released; else both sides wait for the next beat."""
    _quantum: int = 0
    """Units per side in a frame."""
    _has_looked: bool = False

    def __post_init__(self, sides: Iterable[Side]) -> None:
        self._lanes = {side: _Lane() for side in sides}
        self._quantum = self.pace.quantum

    def feed(self, side: Side, text: str) -> None:
        """Add text from an endpoint."""
        lane = self._lanes[side]
        lane.waiting += text
        lane.units += units_of(text)

    def retract(self, side: Side) -> bool:
        """Discard the text of a side, which turned out to be reasoning; false, and nothing is, if some is released."""
        lane = self._lanes[side]
        if lane.begun:
            return False
        lane.waiting, lane.units, lane.allowed = "", 0, 0
        return True

    def end(self, side: Side) -> None:
        """Mark the answer of a side as complete."""
        self._lanes[side].ended = True

    @property
    def finished(self) -> bool:
        """Whether all sides have been released completely."""
        return all(lane.done for lane in self._lanes.values())

    def frame(self, now: float) -> Frame:
        """The release at `now` seconds after the question; empty before the start and while both sides wait."""
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
        if now >= LOOK_TIME and not self._has_looked:
            self._has_looked = True
            self._quicken([] if ready else lanes)
        if not self._frames_to_beat:
            needed = self.pace.quantum * self.pace.frames if self.pace.frames > 1 else 1
            self._is_flowing, self._frames_to_beat = min(ready, default=needed) >= needed, self.pace.frames
        self._frames_to_beat -= 1
        return min([self._quantum, *ready]) if self._is_flowing else 0

    def _quicken(self, complete: list[_Lane]) -> None:
        """Raise the rate so that the rest of complete answers is shown in `REST_TIME`; it never falls."""
        rest = max((lane.units for lane in complete), default=0)
        self._quantum = max(self._quantum, ceil(rest * self.pace.interval / REST_TIME))

    @staticmethod
    def _complete(lanes: dict[Side, _Lane]) -> tuple[Side, ...]:
        complete = tuple(side for side, lane in lanes.items() if lane.ended and not lane.waiting)
        for side in complete:
            lanes[side].done = True
        return complete
