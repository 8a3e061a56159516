"""One clock for two answers, so that neither speed nor chunk size tells who is talking.

Nothing leaves before both sides have begun. While both still have text to come, every frame releases the same number
of characters on both sides, so the slower one sets the pace of both.
"""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING, Final

from arena.terms import Side

if TYPE_CHECKING:
    from collections.abc import Iterable

CATCH_UP_FRAMES: Final = 80
"""Once both models have ended, what is left is released within about this many frames."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What one tick of the clock releases: text per side, and the sides that are complete with it."""

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
    """Takes text as it arrives and gives frames; `characters` is the most one frame releases per side."""

    characters: int
    sides: InitVar[Iterable[Side]] = Side
    _lanes: dict[Side, _Lane] = field(init=False)
    _begun: bool = False

    def __post_init__(self, sides: Iterable[Side]) -> None:
        self._lanes = {side: _Lane() for side in sides}

    def feed(self, side: Side, text: str) -> None:
        """Add what one endpoint has sent."""
        self._lanes[side].waiting += text

    def end(self, side: Side) -> None:
        """Say that one endpoint has sent all."""
        self._lanes[side].ended = True

    @property
    def finished(self) -> bool:
        """Both answers have been released to their last character."""
        return all(lane.done for lane in self._lanes.values())

    def frame(self) -> Frame:
        """Release the next characters; an empty frame where nothing may leave yet."""
        self._begun = self._begun or all(lane.waiting or lane.ended for lane in self._lanes.values())
        if not self._begun:
            return Frame({})
        open_lanes = {side: lane for side, lane in self._lanes.items() if not lane.done}
        count = self._count(list(open_lanes.values()))
        text = {side: released for side, lane in open_lanes.items() if (released := lane.take(count))}
        return Frame(text, self._complete(open_lanes))

    def _count(self, lanes: list[_Lane]) -> int:
        """Of the sides still talking the one with least to say decides; one that is at its end does not hold back."""
        if all(lane.ended for lane in lanes):
            longest = max((len(lane.waiting) for lane in lanes), default=0)
            return max(self.characters, -(-longest // CATCH_UP_FRAMES))
        return min([self.characters, *(len(lane.waiting) for lane in lanes if not lane.ended)])

    @staticmethod
    def _complete(lanes: dict[Side, _Lane]) -> tuple[Side, ...]:
        complete = tuple(side for side, lane in lanes.items() if lane.ended and not lane.waiting)
        for side in complete:
            lanes[side].done = True
        return complete
