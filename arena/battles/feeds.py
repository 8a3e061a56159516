"""What has been shown of a running turn, and how any number of readers follow it.

There is no queue per reader and no log of events: a reader holds a cursor (how many characters of each side it has),
the feed holds the text shown so far, and the difference is the next event. So a slow reader gets larger pieces,
a second one costs nothing, and one that comes back gets exactly the rest.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from arena.terms import Side
from arena.wire import BattleEvent, Closing, Delta, SideDone, TurnFailed, TurnReady

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

_CURSOR = re.compile(r"(\d{1,3})\.(\d{1,3})((?:-\d{1,7}d?){1,2})(e?)", re.ASCII)
RETRY_MS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a reader is; as text it is an SSE event's id: `turn.generation[-chars[d] for each side][e]`."""

    turn: int
    generation: int
    seen: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(Side, 0))
    done: frozenset[Side] = frozenset()
    ended: bool = False

    def __str__(self) -> str:
        sides = "-".join(f"{self.seen[side]}{'d' if side in self.done else ''}" for side in self.seen)
        return f"{self.turn}.{self.generation}-{sides}{'e' if self.ended else ''}"

    @classmethod
    def parse(cls, text: str) -> Cursor | None:
        """The cursor behind an event id, or None for anything that is not one."""
        match = _CURSOR.fullmatch(text)
        if match is None:
            return None
        turn, generation, parts, ended = match.groups()
        sides = dict(zip(Side, parts[1:].split("-"), strict=False))
        return cls(
            turn=int(turn),
            generation=int(generation),
            seen={side: int(part.removesuffix("d")) for side, part in sides.items()},
            done=frozenset(side for side, part in sides.items() if part.endswith("d")),
            ended=bool(ended),
        )

    def same_turn(self, other: Cursor) -> bool:
        """Whether both are about the same answers."""
        return (self.turn, self.generation, self.seen.keys()) == (other.turn, other.generation, other.seen.keys())


class Feed:
    """The public side of one turn while it runs, and for readers who come after it."""

    def __init__(self, turn: int, generation: int, sides: Iterable[Side] = Side) -> None:
        self.shown: dict[Side, str] = dict.fromkeys(sides, "")
        self.start = Cursor(turn, generation, dict.fromkeys(self.shown, 0))
        self.done: set[Side] = set()
        self.end: TurnReady | TurnFailed | None = None
        self._closing = False
        self._changed = asyncio.Event()

    def show(self, text: dict[Side, str], done: tuple[Side, ...] = ()) -> None:
        """Add what a frame released."""
        if not text and not done:
            return
        for side, piece in text.items():
            self.shown[side] += piece
        self.done.update(done)
        self._wake()

    def finish(self, end: TurnReady | TurnFailed) -> None:
        """Say how the turn ended; nothing follows."""
        self.end = end
        self._wake()

    def close(self) -> None:
        """Send the readers away: the server is going down."""
        self._closing = True
        self._wake()

    def resume(self, last_id: str | None) -> Cursor:
        """Where a reader goes on; from the beginning if its id belongs to another turn or is not an id."""
        cursor = Cursor.parse(last_id) if last_id else None
        return cursor if cursor is not None and cursor.same_turn(self.start) else self.start

    async def follow(self, cursor: Cursor) -> AsyncIterator[tuple[Cursor, BattleEvent]]:
        """Yield every event after `cursor`, each with the cursor behind it, until the turn has ended."""
        while not cursor.ended:
            changed = self._changed
            for behind, event in self._after(cursor):
                cursor = behind
                yield cursor, event
            if self._closing and not cursor.ended:
                yield cursor, Closing(retry_ms=RETRY_MS)
                return
            if not cursor.ended:
                await changed.wait()

    def _after(self, cursor: Cursor) -> list[tuple[Cursor, BattleEvent]]:
        events: list[tuple[Cursor, BattleEvent]] = []
        for side, shown in self.shown.items():
            if piece := shown[cursor.seen[side] :]:
                cursor = replace(cursor, seen={**cursor.seen, side: len(shown)})
                events.append((cursor, Delta(side=side, text=piece)))
        for side in sorted(self.done - cursor.done):
            cursor = replace(cursor, done=cursor.done | {side})
            events.append((cursor, SideDone(side=side)))
        if self.end is not None:
            cursor = replace(cursor, ended=True)
            events.append((cursor, self.end))
        return events

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
