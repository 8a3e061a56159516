"""The reader of one answer's bytes: from what has arrived to text, by plain calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from arena.adapters.providers.errors import BadReply
from arena.adapters.providers.repeated_events import Repeats
from arena.adapters.providers.transport.sse import EventParser

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from arena.adapters.providers.answer import AnswerState
    from arena.adapters.providers.transport.sse import Event

EVENT_COUNT: Final = 20_000
"""Most events of one answer: the longest answer shown has fewer, and each event costs time however small it is."""


class Parser(Protocol):
    """Parser from the bytes of a stream to events, however the bytes are split."""

    def feed(self, data: bytes) -> Iterator[Event]:
        """Yield the events that `data` completes."""
        ...

    def end(self) -> Iterator[Event]:
        """Yield the event that the end of the stream completes, if there is one."""
        ...


class AnswerReader:
    """Turns the bytes of one answer into text; `answer` keeps all else that they say."""

    def __init__(self, answer: AnswerState, parser: Parser) -> None:
        self._answer = answer
        self._parser = parser
        # Only server-sent events repeat themselves; other lines have the time or a number in them.
        self._lines = parser if isinstance(parser, EventParser) else None
        self._repeats = Repeats()
        self._events = 0

    def texts(self, data: bytes | None) -> Iterable[str]:
        """Read what has arrived, None at the end of the stream; the iterable must be read to its end.

        Raises:
            ProviderError: The answer failed, after the texts before the failure.
        """
        if data is None:
            return self._read(self._parser.end())
        texts = self._repeats.split(data) if self._flows else None
        if texts is None or self._events + len(texts) > EVENT_COUNT:
            return self._read(self._parser.feed(data))
        self._events += len(texts)
        return texts

    @property
    def _flows(self) -> bool:
        """Whether an event begins now, and whatever text it adds will be shown as it is."""
        return self._lines is not None and self._lines.fresh and self._answer.flows

    def _read(self, events: Iterable[Event]) -> Iterator[str]:
        answer = self._answer
        for event in events:
            self._events += 1
            if self._events > EVENT_COUNT:
                raise BadReply(f"the answer comes in more than {EVENT_COUNT} events", fault="too_large")
            text = answer.take(event)
            yield text
            if answer.field:
                self._repeats.learn(event, answer.field, text)
