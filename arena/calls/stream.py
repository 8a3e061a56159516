"""An answer as it is received from an endpoint: by waiting for each chunk, or by polls on a clock of the reader's."""

from __future__ import annotations

import time
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.adapters.providers.base import Polled
from arena.adapters.providers.deadlines import Polls, Progress, within
from arena.adapters.providers.errors import BadReply
from arena.domain.terms import Finish
from arena.domain.text import split_high_surrogate, well_formed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from arena.adapters.providers.base import Chunk, Usage
    from arena.adapters.providers.deadlines import TimeLimits

    Clock = Callable[[Callable[[], bool]], Awaitable[None]]
    """Calls a poll again and again until it returns true, and raises its error."""

ANSWER_LIMIT: Final = 60_000
"""Characters of one answer that are kept; the rest is cut."""


@dataclass(slots=True)
class ReceivedAnswer:
    """One answer as far as it has arrived; times are in milliseconds since it was asked for.

    `pieces` counts the chunks with text; `begun` is whether any chunk has arrived.
    """

    text: str = ""
    reasoning: str = ""
    finish: Finish | None = None
    usage: Usage | None = None
    pieces: int = 0
    begun: bool = False
    first_token_ms: int | None = None
    total_ms: int = 0
    started: float = field(default_factory=time.monotonic)

    def elapsed(self) -> int:
        """Milliseconds since it was asked for."""
        return round((time.monotonic() - self.started) * 1000)

    def check_text(self) -> None:
        """Refuse an answer of nothing but white space.

        Raises:
            BadReply: With the fault `empty`.
        """
        if not self.text.strip():
            raise BadReply("the answer is empty", fault="empty")

    def note(self, chunk: Chunk) -> None:
        """Keep all of a chunk but its text."""
        self.begun = True
        self.finish, self.usage = chunk.finish or self.finish, chunk.usage or self.usage
        self.reasoning += chunk.reasoning
        if chunk.text:
            self.pieces += 1
            self.first_token_ms = self.elapsed() if self.first_token_ms is None else self.first_token_ms

    def add(self, text: str, limit: int) -> str:
        """Append text up to a total of `limit` characters; returns what was appended."""
        text = text[: limit - len(self.text)]
        self.text += text
        return text


class _Taking:
    """An answer that takes chunks, well-formed and cut after a limit in characters."""

    def __init__(self, answer: ReceivedAnswer, limit: int, pass_on: Callable[[str], bool | None]) -> None:
        self._answer, self._limit, self._pass_on = answer, limit, pass_on
        self._half = ""

    def take(self, chunk: Chunk) -> bool:
        """Add a chunk; returns whether that is enough."""
        self._answer.note(chunk)
        # A chunk may end between the two halves of a surrogate pair.
        text, self._half = split_high_surrogate(self._half + chunk.text)
        return self._add(text)

    def end(self) -> None:
        """Add what was held back."""
        self._add(well_formed(self._half))

    def _add(self, text: str) -> bool:
        piece = self._answer.add(text, self._limit)
        heard = bool(piece) and bool(self._pass_on(piece))
        if full := len(self._answer.text) >= self._limit:
            self._answer.finish = Finish.LENGTH
        return heard or full


async def receive(
    stream: AsyncIterator[Chunk],
    limits: TimeLimits,
    answer: ReceivedAnswer,
    pass_on: Callable[[str], bool | None] = lambda _: None,
    *,
    limit: int | None = None,
    clock: Clock | None = None,
) -> None:
    """Add a provider's stream to `answer`, well-formed and cut after a limit, and pass each piece on.

    The limit is in characters, `ANSWER_LIMIT` if it is None. It ends early once `pass_on` returns true; the stream is
    closed however it ends. With a clock, a stream that can be polled is read by polls as soon as it has begun.

    Raises:
        ProviderError: The endpoint failed, or exceeded the time limits.
    """
    taking, progress = _Taking(answer, ANSWER_LIMIT if limit is None else limit, pass_on), Progress(limits)
    async with aclosing(within(stream, limits, progress)) as chunks:
        async for chunk in chunks:
            if taking.take(chunk):
                break
            if clock and progress.begun and isinstance(stream, Polled):
                await clock(Polls(stream, progress, taking.take))
                break
    taking.end()
