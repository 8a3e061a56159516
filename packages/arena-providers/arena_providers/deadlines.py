"""Time limits by phase for a provider's stream; one limit would cut long answers or wait too long for dead ones."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from arena_providers.base import Polled
from arena_providers.errors import TimedOut

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Self

    from arena_providers.base import Chunk

_WINDOW: Final = 10.0
"""Seconds of waiting over which the rate is measured."""
_LONGEST_WAIT: Final = 5.0
"""Largest wait that counts towards the rate: a model may pause between words, and silence has its own limit."""
_CLOSING: Final = 1.0
"""Seconds a stream may take to close, so that closing does not block the caller."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds to connect (enforced by the HTTP client), to the first text, between two chunks, and in total.

    `rate` is the minimum in bytes of text per second; a slower answer than people read only occupies a slot.
    """

    connect: float = 5
    first_token: float = 120
    between_tokens: float = 20
    total: float = 270
    rate: float = 10

    @property
    def of_this_machine(self) -> TimeLimits:
        """The limits of a model that runs on this machine: only the total, since a slow machine is no fault of its."""
        return replace(self, first_token=self.total, between_tokens=self.total, rate=0)


class TimedStream:
    """A provider's stream within time limits; pauses of the reader count towards the total only.

    Iteration waits for each chunk. If the stream is `pollable`, `poll` reads it without a wait or a task: waking up for
    a token takes several times as long as reading it.
    """

    def __init__(self, stream: AsyncIterator[Chunk], limits: TimeLimits) -> None:
        self._stream = stream
        self._polled = stream if isinstance(stream, Polled) else None
        self._limits = limits
        self._now = asyncio.get_running_loop().time
        self._asked_at = self._now()
        self._total = self._asked_at + limits.total
        self._first = self._asked_at + limits.first_token
        self._begun = False
        self._bytes = 0
        self._waited = 0.0

    @property
    def pollable(self) -> bool:
        """Whether `poll` may be called: the text has begun, or the stream has ended without any."""
        return self._begun and self._polled is not None

    @property
    def over(self) -> bool:
        """Whether a pollable stream has returned its last chunk."""
        return self._polled is not None and self._polled.over

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Chunk:
        """The next chunk.

        Raises:
            TimedOut: `phase` is `first token`, `between tokens`, `rate` or `total`.
            ProviderError: The stream failed.
        """
        self._asked_at = self._now()
        phase, limit = self._limit()
        timeout = asyncio.timeout_at(limit)
        try:
            async with timeout:
                chunk = await anext(self._stream)
        except TimeoutError as error:
            if timeout.expired():
                raise TimedOut(phase) from error
            raise
        self._note(chunk)
        return chunk

    def poll(self) -> Chunk | None:
        """Everything since the previous chunk; None if there is nothing yet, or after the last. Raises as `anext`."""
        if self._polled is None or self._polled.over:
            return None
        phase, limit = self._limit()
        chunk = self._polled.poll()
        if (chunk is None or phase == "total") and self._now() >= limit:
            raise TimedOut(phase)
        if chunk is not None:
            self._note(chunk)
        return chunk

    async def aclose(self) -> None:
        """Close the stream, waiting at most `_CLOSING` seconds."""
        close = getattr(self._stream, "aclose", None)
        if close is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(_CLOSING):
                    await close()

    def _limit(self) -> tuple[str, float]:
        """The phase of the present wait, and its deadline on the loop's clock."""
        if self._begun:
            phase, limit = "between tokens", self._asked_at + self._limits.between_tokens
        else:
            phase, limit = "first token", self._first
        return (phase, limit) if limit <= self._total else ("total", self._total)

    def _note(self, chunk: Chunk) -> None:
        """Count a chunk and begin the next wait; raises `TimedOut` if the rate over a window is too low."""
        previous, self._asked_at = self._asked_at, self._now()
        # A chunk without text shows that the model is thinking, which is no slow text.
        if self._begun and chunk.text and chunk.finish is None:
            self._bytes += len(chunk.text.encode(errors="replace"))
            self._waited += min(self._asked_at - previous, _LONGEST_WAIT)
            if self._waited >= _WINDOW:
                if self._bytes < self._limits.rate * self._waited:
                    raise TimedOut("rate")
                self._bytes, self._waited = 0, 0.0
        self._begun = self._begun or bool(chunk.text) or chunk.finish is not None
