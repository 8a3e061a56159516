"""The feed of a turn: the text shown so far, and cursors by which any number of readers follow it.

A cursor is the number of characters that a reader has of each side; the rest of the text shown so far is its next
event. There is no queue per reader and no log of events: a slow reader gets larger pieces, a further one costs no
memory, and one that reconnects gets exactly what it lacks.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from arena.domain.schemas.battles import (
    BattleEvent,
    ClosingEvent,
    DeltaEvent,
    SideDoneEvent,
    TurnFailedEvent,
    TurnReadyEvent,
)
from arena.domain.terms import Side
from arena.usecases.battles.block_feed import BlockFeed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

_CURSOR = re.compile(r"(\d{1,3})\.(\d{1,3})((?:-\d{1,7}d?){1,2})(e?)", re.ASCII)
RETRY_MS: Final = 2_000


class Cursor(NamedTuple):
    """The position of a reader; its text is the id of an SSE event.

    The form is `turn.generation`, `-chars` for each side with `d` if it is done, and `e` at the end of the feed. It is
    a tuple for speed, since each event of each reader makes one.
    """

    turn: int
    generation: int
    seen: dict[Side, int]
    done: frozenset[Side] = frozenset()
    ended: bool = False

    def __str__(self) -> str:
        done = self.done
        sides = "".join([f"-{seen}d" if side in done else f"-{seen}" for side, seen in self.seen.items()])
        return f"{self.turn}.{self.generation}{sides}{'e' if self.ended else ''}"

    def at(self, side: Side, seen: int) -> Cursor:
        """This cursor with `seen` characters of one side."""
        return Cursor(self.turn, self.generation, {**self.seen, side: seen}, self.done, self.ended)

    @classmethod
    def parse(cls, text: str) -> Cursor | None:
        """The cursor of an event id, or None if the text is malformed."""
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
        """Whether both point into the same answers."""
        return (self.turn, self.generation, self.seen.keys()) == (other.turn, other.generation, other.seen.keys())


Step = tuple[Cursor, BattleEvent]
"""The cursor after an event, and the event."""


class Feed:
    """The text of one turn as its readers may see it, while it runs and afterwards."""

    def __init__(self, turn: int, generation: int, sides: Iterable[Side] = Side) -> None:
        self.shown: dict[Side, str] = dict.fromkeys(sides, "")
        self.start = Cursor(turn, generation, dict.fromkeys(self.shown, 0))
        self.done: set[Side] = set()
        self.end: TurnReadyEvent | TurnFailedEvent | None = None
        self._is_closing = False
        self._blocks = BlockFeed()
        self._waiters: list[asyncio.Future[None]] = []

    def show(self, text: dict[Side, str], done: tuple[Side, ...] = ()) -> None:
        """Add the text of one frame, and the sides that are complete with it."""
        if not text and not done:
            return
        for side, piece in text.items():
            self.shown[side] += piece
        self.done.update(done)
        self._wake()

    def finish(self, end: TurnReadyEvent | TurnFailedEvent) -> None:
        """End the feed with the result of the turn."""
        self.end = end
        self._wake()

    def close(self) -> None:
        """Tell readers to reconnect later, since the turn does not run here; before any reader follows."""
        self._is_closing = True

    def resume(self, last_id: str | None) -> Cursor:
        """The cursor of a Last-Event-ID; the start if it belongs to another turn or is malformed."""
        cursor = Cursor.parse(last_id) if last_id else None
        return cursor if cursor is not None and cursor.same_turn(self.start) else self.start

    async def follow(self, cursor: Cursor, *, as_html: bool = False) -> AsyncIterator[list[Step]]:
        """Yield lists of events after `cursor`, each with all that there are at the time, until the turn has ended.

        As HTML, events have blocks where they have pieces of text otherwise.
        """
        while not cursor.ended:
            if as_html:
                await self._blocks.catch_up(self._state)
            if steps := self._after(cursor, as_html=as_html):
                cursor = steps[-1][0]
                yield steps
            elif self._is_closing:
                yield [(cursor, ClosingEvent(retry_ms=RETRY_MS))]
                return
            else:
                await self._change()

    def _after(self, cursor: Cursor, *, as_html: bool) -> list[Step]:
        steps: list[Step] = []
        for side, shown in self.shown.items():
            if piece := self._blocks.event(side, cursor.seen[side]) if as_html else _delta(side, shown, cursor):
                cursor = cursor.at(side, piece[0])
                steps.append((cursor, piece[1]))
        for side in sorted(self.done - cursor.done) if self.done else ():
            cursor = cursor._replace(done=cursor.done | {side})
            steps.append((cursor, SideDoneEvent(side=side)))
        if self.end is not None:
            cursor = cursor._replace(ended=True)
            steps.append((cursor, self.end))
        return steps

    def _state(self) -> tuple[dict[Side, str], set[Side]]:
        """The text of each side, and the sides whose text is whole."""
        return dict(self.shown), set(self.done if self.end is None else self.shown)

    def _change(self) -> asyncio.Future[None]:
        """A future that is done at the next change."""
        future = asyncio.get_running_loop().create_future()
        self._waiters.append(future)
        return future

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, []
        for future in waiters:
            if not future.done():
                future.set_result(None)


def _delta(side: Side, shown: str, cursor: Cursor) -> tuple[int, DeltaEvent] | None:
    piece = shown[cursor.seen[side] :]
    return (len(shown), DeltaEvent(side=side, text=piece)) if piece else None
