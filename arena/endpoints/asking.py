"""One question to one endpoint, by the way that a battle takes, and what came of it."""

from __future__ import annotations

import logging
import time
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.endpoints import faults
from arena.providers.deadlines import within
from arena.providers.errors import BadReply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from typing import Any

    from arena.calls import Caller
    from arena.providers.base import Chunk, Target
    from arena.terms import Finish, Message

log = logging.getLogger(__name__)

_KEPT: Final = 60_000
"""Characters after which a battle would cut."""
_LONG: Final = 200
"""Characters that no server makes in one piece unless it waits for the end."""
_WAITED_MS: Final = 2_000


@dataclass(slots=True)
class Tried:
    """One question and its answer; times are in milliseconds since it was sent."""

    kind: str
    text: str = ""
    pieces: int = 0
    finish: Finish | None = None
    fault: str | None = None
    first_token_ms: int | None = None
    total_ms: int = 0

    @property
    def ok(self) -> bool:
        """Whether a battle would have had an answer."""
        return self.fault is None

    @property
    def whole(self) -> bool:
        """Whether a long answer was held back until it was complete."""
        late = self.first_token_ms is not None and self.first_token_ms > max(_WAITED_MS, 0.95 * self.total_ms)
        return self.ok and len(self.text) >= _LONG and (self.pieces == 1 or late)

    def shown(self) -> dict[str, Any]:
        """The entry of the report; of an endpoint that nobody reached not even the time is told."""
        return {
            "kind": self.kind,
            "ok": self.ok,
            "error": self.fault,
            "first_token_ms": self.first_token_ms,
            "total_ms": None if self.fault == faults.UNREACHABLE else self.total_ms,
            "characters": len(self.text),
            "characters_per_second": self._speed(),
            "pieces": self.pieces,
            "streams": self.pieces > 1 and not self.whole,
            "finish": self.finish,
        }

    def _speed(self) -> float | None:
        spent = 0 if self.first_token_ms is None else self.total_ms - self.first_token_ms
        return round(1000 * len(self.text) / spent, 1) if spent > 0 else None


async def ask(caller: Caller, kind: str, target: Target, messages: Sequence[Message]) -> Tried:
    """Hear an answer to its end."""
    tried = Tried(kind)
    started = time.monotonic()
    try:
        stream = within(caller.providers[target.dialect].stream(target, messages), caller.times)
        async with aclosing(stream) as chunks:
            await _hear(tried, chunks, started)
    except Exception as error:  # noqa: BLE001 - whatever it was, the owner is told one of the known faults
        tried.fault = faults.code(error, has_key=target.key is not None)
        log.info("a probe (%s %s) failed: %s: %s", target.dialect, target.url, type(error).__name__, error)
    tried.total_ms = _since(started)
    return tried


async def _hear(tried: Tried, chunks: AsyncIterator[Chunk], started: float) -> None:
    async for chunk in chunks:
        tried.finish = chunk.finish or tried.finish
        if chunk.text:
            tried.pieces += 1
            tried.text += chunk.text
            tried.first_token_ms = _since(started) if tried.first_token_ms is None else tried.first_token_ms
        if len(tried.text) >= _KEPT:
            break
    if not tried.text.strip():
        raise BadReply("the answer is empty", fault="empty")


def _since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)
