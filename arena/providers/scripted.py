"""A provider that plays back what it is told, for tests and load runs: no network, every pause and fault on purpose."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena.providers.base import Chunk, Target
from arena.terms import Finish, Message

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence


@dataclass(slots=True)
class Part:
    """Some pieces of an answer, each after `pause` seconds; `error` is raised behind them, `hang` waits for ever."""

    pieces: Sequence[str] = ("Hello",)
    pause: float = 0.0
    error: Exception | None = None
    hang: bool = False
    reasoning: str = ""


@dataclass(slots=True)
class Scripted:
    """Plays `parts[target.wire_model]`; remembers what it was asked and how many streams are open."""

    parts: dict[str, Part] = field(default_factory=dict[str, Part])
    asked: list[tuple[str, tuple[Message, ...]]] = field(default_factory=list["tuple[str, tuple[Message, ...]]"])
    running: int = 0

    async def stream(self, target: Target, messages: Sequence[Message]) -> AsyncIterator[Chunk]:
        """Play the part of the target's wire model."""
        part = self.parts.get(target.wire_model, Part())
        self.asked.append((target.wire_model, tuple(messages)))
        self.running += 1
        try:
            for piece in part.pieces:
                await asyncio.sleep(part.pause)
                yield Chunk(text=piece)
            if part.hang:
                await asyncio.Event().wait()
            if part.error is not None:
                raise part.error
            yield Chunk(finish=Finish.STOP, reasoning=part.reasoning)
        finally:
            self.running -= 1
