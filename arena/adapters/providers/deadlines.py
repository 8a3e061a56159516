"""Time limits on any provider's stream: a single limit would either cut long answers or wait too long for dead ones."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from arena.adapters.providers.errors import TimedOut

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable

    from arena.adapters.providers.base import Chunk, Polled

_WINDOW: Final = 10.0
"""Seconds of waiting over which the rate is measured."""
_LONGEST_WAIT: Final = 5.0
"""Upper bound of one wait in that sum: a model may pause between two words, and silence has a separate limit."""
_CLOSING: Final = 1.0
"""Seconds a stream may take to close, so that closing does not block the caller."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds to connect (enforced by the HTTP client), to the first text, between two chunks, and in total.

    `rate` is the minimum in bytes of text per second: anything slower than people read only occupies a slot.
    """

    connect: float = 5
    first_token: float = 30
    between_tokens: float = 20
    total: float = 180
    rate: float = 10


class Progress:
    """A stream's progress against its limits, from now on."""

    def __init__(self, limits: TimeLimits) -> None:
        self._limits = limits
        self._now = asyncio.get_running_loop().time
        self._total = self._now() + limits.total
        self._first = self._now() + limits.first_token
        self._rate = _Rate(limits.rate)
        self.begun = False
        """Whether the text has begun, or the stream has ended without any."""

    def limit(self, asked: float) -> tuple[str, float]:
        """The phase of a wait that began at `asked`, and the moment at which it is too long."""
        if self.begun:
            phase, limit = "between tokens", asked + self._limits.between_tokens
        else:
            phase, limit = "first token", self._first
        return (phase, limit) if limit <= self._total else ("total", self._total)

    def note(self, chunk: Chunk, asked: float) -> None:
        """Count a chunk that was waited for since `asked`; raises `TimedOut` for too low a rate."""
        if self.begun and chunk.finish is None:
            self._rate.note(chunk.text, self._now() - asked)
        self.begun = self.begun or bool(chunk.text) or chunk.finish is not None


class Polls:
    """The polls of a stream that has begun, each within its limits; `take` gets what has arrived.

    Waking up for a token costs several times as much as reading it, so a reader with a clock of its own polls.
    """

    def __init__(self, stream: Polled, progress: Progress, take: Callable[[Chunk], bool]) -> None:
        """`take` returns whether it wants no more."""
        self._stream = stream
        self._progress = progress
        self._take = take
        self._now = asyncio.get_running_loop().time
        self._asked = self._now()

    def __call__(self) -> bool:
        """Pass on what has arrived; returns whether the stream is over.

        Raises:
            TimedOut: As `within`.
            ProviderError: The stream failed.
        """
        if self._stream.over:
            return True
        phase, limit = self._progress.limit(self._asked)
        chunk = self._stream.poll()
        if chunk is None or phase == "total":
            if self._now() >= limit:
                raise TimedOut(phase)
            if chunk is None:
                return False
        self._progress.note(chunk, self._asked)
        self._asked = self._now()
        return self._take(chunk) or self._stream.over


async def within(
    stream: AsyncIterator[Chunk], limits: TimeLimits, progress: Progress | None = None
) -> AsyncGenerator[Chunk, None]:
    """Pass the stream on and close it in any case; the reader's own pauses count towards the total only.

    The stream must be read by a single task, which may go on with `Polls` of the same `progress`.

    Raises:
        TimedOut: `phase` is `first token`, `between tokens`, `rate` or `total`.
    """
    now = asyncio.get_running_loop().time
    progress, clock = progress or Progress(limits), _Clock()
    try:
        while True:
            asked = now()
            chunk = await clock.next(stream, *progress.limit(asked))
            if chunk is None:
                return
            progress.note(chunk, asked)
            yield chunk
    finally:
        clock.stop()
        await _close(stream)


class _Rate:
    """Measures the rate of text over the time spent waiting for it."""

    def __init__(self, least: float) -> None:
        self._least = least
        self._bytes = 0
        self._waited = 0.0

    def note(self, text: str, waited: float) -> None:
        """Count one piece; raises `TimedOut` if the rate over a whole window was too low."""
        self._bytes += len(text.encode(errors="replace"))
        self._waited += min(waited, _LONGEST_WAIT)
        if self._waited < _WINDOW:
            return
        if self._bytes < self._least * self._waited:
            raise TimedOut("rate")
        self._bytes, self._waited = 0, 0.0


class _Clock:
    """Cancels waits of the task that created it when they take too long.

    A single timer checks, when it fires, whether the limit has moved meanwhile: setting a timer for every token would
    cost more than the rest of its processing, and so would looking up the current task each time.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._reader = cast("asyncio.Task[Any]", asyncio.current_task())
        self._timer: asyncio.TimerHandle | None = None
        self._fires = self._limit = 0.0
        self._waiting = self._expired = False

    async def next(self, stream: AsyncIterator[Chunk], phase: str, limit: float) -> Chunk | None:
        """The next chunk, or None at the end; errors of the stream itself are passed on."""
        self._limit, self._waiting, others = limit, True, self._reader.cancelling()
        if self._timer is None or self._fires > limit:
            self._arm()
        try:
            return await anext(stream, None)
        except asyncio.CancelledError as error:
            # A cancellation from elsewhere at the same time takes precedence.
            if self._expired and self._reader.cancelling() <= others + 1:
                raise TimedOut(phase) from error
            raise
        finally:
            self._waiting = False
            if self._expired:
                self._expired = False
                self._reader.uncancel()

    def stop(self) -> None:
        """Cancel the timer."""
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
