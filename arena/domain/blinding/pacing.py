"""Common pacing of both answers, the same for every battle, so that speed and chunk size reveal little of the models.

Nothing is shown before both sides have started, nor before a random time drawn for each battle. From then on each frame
releases the same number of characters on both sides, at a rate that depends only on the time since the question, even
after both models have finished. A model that starts later than the common start or writes more slowly than the common
rate is still noticeable: there is nothing to release then. `uv run benchmarks blindness` measures how much can be told.
"""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field, replace
from typing import TYPE_CHECKING, Final

from arena.domain.terms import Side

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

SPREAD: Final = 1.25
"""Upper bound of the random factor on the start time."""
STEADY: Final = 30.0
"""Seconds since the question during which the rate is constant."""
DOUBLING: Final = 30.0
"""Seconds in which the rate doubles after that, so that a long answer ends."""
SHOW_TIME: Final = 60.0
"""Seconds that showing may take after the models have finished; then a turn is overdue."""
KNOWN_SPEEDUP: Final = 16
"""Factor on the rate when the models are known."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The common clock of both sides.

    Attributes:
        interval: Seconds between frames.
        characters: Number of characters that a frame releases per side.
        start: Earliest time of the first frame in seconds since the question; 0 starts as soon as both sides have.
    """

    interval: float = 0.1
    characters: int = 6
    start: float = 1.8

    @property
    def named(self) -> Pace:
        """The pace for models whose names are known, where nothing needs hiding."""
        return replace(self, characters=KNOWN_SPEEDUP * self.characters, start=0)

    def characters_at(self, now: float) -> int:
        """Characters per side in the frame `now` seconds after the question."""
        return int(self.characters * 2 ** (max(0.0, now - STEADY) / DOUBLING))


@dataclass(frozen=True, slots=True)
class Frame:
    """The release of one tick: text per side, and the sides that are complete with it."""

    text: dict[Side, str]
    done: tuple[Side, ...] = ()


@dataclass(slots=True)
class _Lane:
    waiting: str = ""
    ended: bool = False
    done: bool = False

    def take(self, count: int) -> str:
        text, self.waiting = self.waiting[:count], self.waiting[count:]
        return text


@dataclass(slots=True)
class Pacer:
    """Buffers text as it arrives and releases it in frames; from `limit` seconds after the question all at once."""

    pace: Pace
    limit: float
    rng: Random
    sides: InitVar[Iterable[Side]] = Side
    _lanes: dict[Side, _Lane] = field(init=False)
    _start: float | None = None

    def __post_init__(self, sides: Iterable[Side]) -> None:
        self._lanes = {side: _Lane() for side in sides}

    def feed(self, side: Side, text: str) -> None:
        """Add text that an endpoint has sent."""
        self._lanes[side].waiting += text

    def end(self, side: Side) -> None:
        """Mark a side as complete at its endpoint."""
        self._lanes[side].ended = True

    @property
    def finished(self) -> bool:
        """Whether both answers have been released completely."""
        return all(lane.done for lane in self._lanes.values())

    def frame(self, now: float) -> Frame:
        """Release the next characters `now` seconds after the question; an empty frame before the start."""
        if self._start is None and all(lane.waiting or lane.ended for lane in self._lanes.values()):
            self._start = self._random_start(now)
        if self._start is None or now < self._start:
            return Frame({})
        open_lanes = {side: lane for side, lane in self._lanes.items() if not lane.done}
        count = self._count(list(open_lanes.values()), now)
        text = {side: released for side, lane in open_lanes.items() if (released := lane.take(count))}
        return Frame(text, self._complete(open_lanes))

    def _random_start(self, started: float) -> float:
        if not self.pace.start:
            return started
        return min(max(started, self.pace.start) * self.rng.uniform(1, SPREAD), self.limit)

    def _count(self, lanes: list[_Lane], now: float) -> int:
        """The shortest buffer of the sides still being written decides; a finished side does not limit the others."""
        if now >= self.limit:
            return max((len(lane.waiting) for lane in lanes), default=0)
        return min([self.pace.characters_at(now), *(len(lane.waiting) for lane in lanes if not lane.ended)])

    @staticmethod
    def _complete(lanes: dict[Side, _Lane]) -> tuple[Side, ...]:
        complete = tuple(side for side, lane in lanes.items() if lane.ended and not lane.waiting)
        for side in complete:
            lanes[side].done = True
        return complete
