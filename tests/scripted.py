"""A provider that plays back scripted answers, pauses and faults without a network."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena_providers.base import Chunk, Target
from arena_providers.terms import Finish, Message

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence


@dataclass(slots=True)
class ScriptedAnswer:
    """Pieces of an answer, each after `pause` seconds; then `error` is raised, or with `hang` the stream never ends.

    The answer starts once the event `held` is set, if there is one.
    """

    pieces: Sequence[str] = ("Hello",)
    pause: float = 0.0
    error: Exception | None = None
    hang: bool = False
    reasoning: str = ""
    held: asyncio.Event | None = None


@dataclass(slots=True)
class Scripted:
    """Plays the answer `parts[target.wire_model]`; records requests and the number of open streams."""

    parts: dict[str, ScriptedAnswer] = field(default_factory=dict[str, ScriptedAnswer])
    asked: list[tuple[str, tuple[Message, ...]]] = field(default_factory=list["tuple[str, tuple[Message, ...]]"])
    running: int = 0

    async def stream(self, target: Target, messages: Sequence[Message]) -> AsyncIterator[Chunk]:
        """Play the part of the target's wire model."""
        part = self.parts.get(target.wire_model, ScriptedAnswer())
        self.asked.append((target.wire_model, tuple(messages)))
        self.running += 1
        try:
            if part.held is not None:
                await part.held.wait()
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
