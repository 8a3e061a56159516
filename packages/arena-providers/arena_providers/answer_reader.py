"""The reader of one answer's bytes: synchronous parsing from bytes to text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Protocol

from arena_providers.answer import parse
from arena_providers.errors import BadReply
from arena_providers.transport.sse import EventParser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena_providers.answer import AnswerState
    from arena_providers.transport.sse import Event

EVENT_COUNT: Final = 100_000
"""Most events of one answer, since each takes time: the longest answer shown has 60,000 with a character in each."""
FRAME_LIMIT: Final = 4 * 1024
"""Most characters of an event that count as the frame of its text; only larger events count as unshown."""
UNSHOWN_LIMIT: Final = 4 * 1024 * 1024
"""Most characters of one answer in large events that add no text, such as signatures, sources, or the text again."""
_SPLIT_LIMIT: Final = 64 * 1024
"""Most bytes of repetitions that are split at once."""
END_MARK: Final = "[DONE]"
"""Data of an event that is no JSON: the end marker of several dialects."""
LEARNINGS: Final = 8
"""Consecutive attempts to learn a pattern before a server counts as one without a pattern."""
_SPECIAL: Final = re.compile(rb'["\\\x00-\x1f]')
"""Bytes that a JSON string escapes, among them line ends."""


class Parser(Protocol):
    """Parser from the bytes of a stream to events, however the bytes are split."""

    def feed(self, data: bytes) -> Iterator[Event]:
        """Yield the events that `data` completes."""
        ...

    def end(self) -> Iterator[Event]:
        """Yield the event that the end of the stream completes, if there is one."""
        ...


class AnswerReader:
    """Turns the bytes of one answer into text, and updates its state `answer`."""

    def __init__(self, answer: AnswerState, parser: Parser) -> None:
        self._answer = answer
        self._parser = parser
        # Only server-sent events repeat a pattern; lines of other formats contain the time or a number.
        self._event_parser = parser if isinstance(parser, EventParser) else None
        self._pattern = EventPattern()
        self._events = self._retractions = 0
        self.unshown = 0
        """Characters in large events that added no text."""

    def read(self, data: bytes | None, texts: list[str]) -> None:
        """Append the texts of `data` to `texts`; `data` is None at the end of the stream.

        Raises:
            ProviderError: The answer failed, after the texts before the failure.
        """
        # An event starts here, and may have no other effect than its text.
        is_plain = self._event_parser is not None and self._event_parser.fresh and self._answer.flows
        pieces = self._pattern.split(data) if data is not None and is_plain else None
        if pieces is not None and self._events + len(pieces) <= EVENT_COUNT:
            self._events += len(pieces)
            self._add(self._answer.show("".join(pieces)), texts)
            return
        for event in self._parser.end() if data is None else self._parser.feed(data):
            self._events += 1
            if self._events > EVENT_COUNT:
                raise BadReply(f"the answer comes in more than {EVENT_COUNT} events", fault="too_large")
            if data is None and self._events > 1:
                _check_complete(event)
            text = self._answer.take(event)
            self._add(text, texts)
            if len(event.data) > FRAME_LIMIT:
                self._count_unshown(len(event.data) - len(text))
            elif self._answer.field and text:
                self._pattern.learn(event, self._answer.field, text)

    def _add(self, text: str, texts: list[str]) -> None:
        """Add text, after discarding what it retracts."""
        if self._retractions != self._answer.visible.retractions:
            self._retractions = self._answer.visible.retractions
            texts.clear()
        texts.append(text)

    def _count_unshown(self, characters: int) -> None:
        self.unshown += characters
        if self.unshown > UNSHOWN_LIMIT:
            raise BadReply("the answer has more than 4 MiB that are not its text", fault="unshown_too_large")


def _check_complete(event: Event) -> None:
    """Reject the last event of a stream that ends within it."""
    data = event.data.strip()
    if data != END_MARK:
        try:
            parse(data)
        except BadReply as error:
            raise BadReply("the stream ended within an event", fault="cut_short") from error


class EventPattern:
    """The bytes around the text in the events of one stream, by which events are split instead of parsed.

    Most servers send the same JSON for every token but for the text. The bytes around it are learnt from a parsed
    event; events with the same bytes have the same meaning. Parsing takes five times as long
    (docs/decisions/0025-read-per-frame.md).
    """

    def __init__(self) -> None:
        self._head = self._tail = b""
        self._learnings = LEARNINGS

    def learn(self, event: Event, field: str, text: str) -> None:
        """Learn from an event whose only effect was to add `text`, the value of its JSON field `field`."""
        if self._learnings <= 0:
            return
        self._learnings -= 1
        name = f'"{field}"'
        # Without a backslash a string has one encoding only; a field that occurs once is the one that was read.
        is_plain = "\\" not in event.data and "\n" not in event.data and event.data.count(name) == 1
        for colon in (":", ": ") if is_plain else ():
            head_text, match, tail_text = event.data.partition(f'{name}{colon}"{text}"')
            if match:
                head = "" if event.name == "message" else f"event: {event.name}\n"
                self._head = f'{head}data: {head_text}{name}{colon}"'.encode()
                self._tail = f'"{tail_text}\n\n'.encode()

    def split(self, data: bytes) -> list[str] | None:
        """The texts of the events in `data`, which starts at an event; None if it does not match the pattern."""
        head, tail = self._head, self._tail
        if not head or not data.startswith(head) or not data.endswith(tail) or len(data) > _SPLIT_LIMIT:
            return None
        pieces = data[len(head) : -len(tail)].split(tail + head)
        if any(map(_SPECIAL.search, pieces)):
            return None
        try:
            texts = [piece.decode() for piece in pieces]
        except UnicodeDecodeError:
            return None
        self._learnings = LEARNINGS
        return texts
