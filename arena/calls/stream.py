"""Reception of an answer from an endpoint, by waiting for each chunk or by polls of a clock."""

from __future__ import annotations

import time
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.domain.text import has_visible_text, split_high_surrogate, well_formed
from arena_providers.answer import count
from arena_providers.deadlines import TimedStream
from arena_providers.errors import BadReply
from arena_providers.terms import Finish

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from arena_providers.base import Chunk, Usage
    from arena_providers.deadlines import TimeLimits
    from arena_providers.marks.grammar import AnswerMark

    Clock = Callable[[Callable[[], bool]], Awaitable[None]]
    """Calls a poll at intervals until it returns true, and raises its error."""

ANSWER_LIMIT: Final = 60_000
"""Most characters of an answer; the rest is cut."""
PARAGRAPH: Final = "\n\n"
"""It divides reasoning that could not be discarded from what follows."""


@dataclass(slots=True)
class ReceivedAnswer:
    """One answer as far as it has arrived; times are in milliseconds since the call.

    `pieces` counts the chunks with text; `begun`: a chunk has arrived; `ended`: the call is over. `started` and `heard`
    are seconds of the monotonic clock.
    """

    text: str = ""
    reasoning: str = ""
    finish: Finish | None = None
    usage: Usage | None = None
    pieces: int = 0
    begun: bool = False
    first_token_ms: int | None = None
    total_ms: int = 0
    ended: bool = False
    started: float = field(default_factory=time.monotonic)
    heard: float = field(default_factory=time.monotonic)
    """Arrival of the last chunk, with or without text."""
    marks: tuple[AnswerMark, ...] = ()
    unopened: bool | None = None
    """Whether it closed reasoning that it had not opened; None if nothing says so."""
    has_reason: bool | None = None
    """Whether the endpoint stated a reason for its end; None if that is not known."""
    _half: str = ""
    """First half of a surrogate pair, until the second arrives."""
    _half_thought: str = ""
    """The same of the reasoning."""

    def elapsed(self) -> int:
        """Milliseconds since the call."""
        return round((time.monotonic() - self.started) * 1000)

    def silence(self) -> float:
        """Seconds since the last chunk, with or without text."""
        return time.monotonic() - self.heard

    def check_text(self) -> None:
        """Reject an answer without visible characters.

        Raises:
            BadReply: With the fault `empty`.
        """
        if not has_visible_text(self.text):
            raise BadReply("the answer is empty", fault="empty")

    def take(self, chunk: Chunk, limit: int, retract: Callable[[], bool] = lambda: True) -> str:
        """Add a chunk, well-formed, up to a total of `limit` characters; returns the added text.

        `retract` says whether the text so far can be discarded; else it stays as a part of the answer.
        """
        gap = ""
        if chunk.retracts and retract():
            self._retract()
        elif chunk.retracts:
            gap, self.unopened = PARAGRAPH, True
        self.begun, self.heard = True, time.monotonic()
        self.finish, self.usage = chunk.finish or self.finish, _credible(chunk.usage) or self.usage
        thought, self._half_thought = split_high_surrogate(self._half_thought + chunk.reasoning)
        self.reasoning += thought
        self.marks = chunk.marks or self.marks
        self.has_reason = self.has_reason if chunk.has_reason is None else chunk.has_reason
        self.unopened = self.unopened if chunk.unopened is None else chunk.unopened
        if chunk.text or gap:
            self.pieces += 1
            self.first_token_ms = self.elapsed() if self.first_token_ms is None else self.first_token_ms
        # A chunk may end between the two halves of a surrogate pair.
        text, self._half = split_high_surrogate(self._half + gap + chunk.text)
        return self._add(text, limit)

    def end(self, limit: int) -> str:
        """Add pending high surrogates as U+FFFD; returns the added text."""
        self.reasoning, self._half_thought = self.reasoning + well_formed(self._half_thought), ""
        text, self._half = well_formed(self._half), ""
        return self._add(text, limit)

    def _retract(self) -> None:
        """Take the text so far for reasoning: the answer begins only now."""
        self.reasoning += self.text + well_formed(self._half)
        self.text, self._half, self.pieces, self.first_token_ms, self.unopened = "", "", 0, None, True

    def _add(self, text: str, limit: int) -> str:
        piece = text[: limit - len(self.text)]
        self.text += piece
        if len(self.text) >= limit:
            self.finish = Finish.LENGTH
        return piece


def _credible(usage: Usage | None) -> Usage | None:
    """The usage, None if one of its counts is not credible; dialects of other packages check none."""
    valid = usage is not None and None not in (count(usage.input_tokens), count(usage.output_tokens))
    return usage if valid else None


async def receive(
    stream: AsyncIterator[Chunk],
    limits: TimeLimits,
    answer: ReceivedAnswer,
    pass_on: Callable[[str], bool | None] = lambda _: None,
    *,
    retract: Callable[[], bool] = lambda: True,
    limit: int | None = None,
    clock: Clock | None = None,
) -> None:
    """Add a provider's stream to `answer`, well-formed and cut after `limit` characters, and pass each piece on.

    The default limit is `ANSWER_LIMIT`. Reception ends early once `pass_on` returns true; the stream is always closed.
    With a clock, a stream that can be polled is read by polls after its first chunk. `retract` is called when all text
    that was passed on turns out to be reasoning, and says whether it can be discarded; what follows is the answer.

    Raises:
        ProviderError: The endpoint failed or exceeded the time limits.
    """
    limit = ANSWER_LIMIT if limit is None else limit

    def take(chunk: Chunk) -> bool:
        """Add a chunk; returns whether reception ends."""
        piece = answer.take(chunk, limit, retract)
        return (bool(piece) and bool(pass_on(piece))) or len(answer.text) >= limit

    def poll() -> bool:
        """Add an arrived chunk; returns whether reception ends."""
        chunk = source.poll()
        return (chunk is not None and take(chunk)) or source.over

    async with aclosing(TimedStream(stream, limits)) as source:
        async for chunk in source:
            if take(chunk):
                break
            if clock and source.pollable:
                await clock(poll)
                break
    if piece := answer.end(limit):
        pass_on(piece)
