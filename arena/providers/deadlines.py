"""Time limits around any provider's stream: a flat limit either cuts long answers or waits too long for dead ones."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from arena.providers.errors import TimedOut

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from arena.providers.base import Chunk

_WINDOW: Final = 10.0
"""Seconds of waiting over which the rate is judged."""
_LONGEST_WAIT: Final = 5.0
"""What one wait adds to them at most: a model may think between two words, and silence has a limit of its own."""
_CLOSING: Final = 1.0
"""Seconds a stream may take to close; longer would hold up whoever leaves it."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds to connect (kept by the HTTP client), to the first text, between two chunks, and in all.

    `rate` is the fewest bytes of text in a second: nobody reads more slowly, and who drips holds a place for nothing.
    """

    connect: float = 5
    first_token: float = 30
    between_tokens: float = 20
    total: float = 180
    rate: float = 10


async def within(stream: AsyncIterator[Chunk], limits: TimeLimits) -> AsyncGenerator[Chunk, None]:
    """Pass the stream on and close it, however this ends; a reader's own pauses count toward the total only.

    One task reads it from its beginning to its end.

    Raises:
        TimedOut: `phase` is `first token`, `between tokens`, `rate` or `total`.
    """
    now = asyncio.get_running_loop().time
    start = now()
    begun = False
    rate, clock = _Rate(limits.rate), _Clock()
    try:
        while True:
            phase, limit = (
                ("between tokens", now() + limits.between_tokens)
                if begun
                else ("first token", start + limits.first_token)
            )
            if start + limits.total < limit:
                phase, limit = "total", start + limits.total
            asked = now()
            chunk = await clock.next(stream, phase, limit)
            if chunk is None:
                return
            if begun and chunk.finish is None:
                rate.note(chunk.text, now() - asked)
            begun = begun or bool(chunk.text) or chunk.finish is not None
            yield chunk
    finally:
        clock.stop()
        await _close(stream)


class _Rate:
    """How much text comes while it is waited for."""

    def __init__(self, least: float) -> None:
        self._least = least
        self._bytes = 0
        self._waited = 0.0

    def note(self, text: str, waited: float) -> None:
        """Count one piece; raises if those of a whole window were too few."""
        self._bytes += len(text.encode(errors="replace"))
        self._waited += min(waited, _LONGEST_WAIT)
        if self._waited < _WINDOW:
            return
        if self._bytes < self._least * self._waited:
            raise TimedOut("rate")
        self._bytes, self._waited = 0, 0.0


class _Clock:
    """Ends waits of the task that made it, where they last too long.

    Its one timer looks, when it fires, how far the limit has moved by then: to set one for every token costs more than
    the rest of the token's way. So does asking each time which task this is.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._reader = cast("asyncio.Task[Any]", asyncio.current_task())
        self._timer: asyncio.TimerHandle | None = None
        self._fires = self._limit = 0.0
        self._waiting = self._expired = False

    async def next(self, stream: AsyncIterator[Chunk], phase: str, limit: float) -> Chunk | None:
        """The next chunk, or None at the end; whatever the stream itself raises is not taken for the limit."""
        self._limit, self._waiting, others = limit, True, self._reader.cancelling()
        if self._timer is None or self._fires > limit:
            self._arm()
        try:
            return await anext(stream, None)
        except asyncio.CancelledError as error:
            # Somebody else may have cancelled at the same moment, and that comes first.
            if self._expired and self._reader.cancelling() <= others + 1:
                raise TimedOut(phase) from error
            raise
        finally:
            self._waiting = False
            if self._expired:
                self._expired = False
                self._reader.uncancel()

    def stop(self) -> None:
        """Fire no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _arm(self) -> None:
        self.stop()
        self._fires = self._limit
        self._timer = self._loop.call_at(self._limit, self._fire)

    def _fire(self) -> None:
        self._timer = None
        if self._loop.time() < self._limit:
            self._arm()
        elif self._waiting:
            self._expired = True
            self._reader.cancel()


async def _close(stream: AsyncIterator[Chunk]) -> None:
    close = getattr(stream, "aclose", None)
    if close is not None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSING):
                await close()
