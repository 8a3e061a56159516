"""Incremental parser of server-sent events. Source: WHATWG HTML, "Interpreting an event stream".

Lines end with CR LF, LF or CR only: U+2028 and U+0085 are ordinary text, which JSON may contain. Events do not depend
on how the bytes are split into reads.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from arena_providers.errors import BadReply

if TYPE_CHECKING:
    from collections.abc import Iterator

LINE_LIMIT: Final = 1024 * 1024
"""Longest line in bytes, without its end: some servers send signatures, sources, or the whole text in one event."""
EVENT_LIMIT: Final = 1024 * 1024
"""Most bytes of one event: of its data lines, and of the line that is still arriving."""
_LINE_COST: Final = 64
"""Bytes that count for a further line of data besides its own: those of an object in memory."""
_NAME_LIMIT: Final = 1024
"""Bytes of an event's name or id that are kept."""
_LINE_END: Final = re.compile(rb"\r\n|[\r\n]")
_BOM: Final = b"\xef\xbb\xbf"
_DATA: Final = b"data: "
"""Prefix of nearly every line, which has a fast path: there is one for every token."""


class Event(NamedTuple):
    """One dispatched event; `id` is the last event ID so far, `retry` is ignored.

    A tuple, because one is made for every token, and a frozen dataclass takes four times as long.
    """

    data: str
    name: str = "message"
    id: str = ""


class EventParser:
    """Parser of one stream."""

    def __init__(self, *, line_limit: int = LINE_LIMIT, event_limit: int = EVENT_LIMIT) -> None:
        self._line_limit = line_limit
        self._event_limit = event_limit
        self._tail = bytearray()
        self._after_cr = False
        self._at_start = True
        self._data: list[bytes] = []
        self._size = 0
        self._name = ""
        self._id = ""

    def feed(self, data: bytes) -> Iterator[Event]:
        """Yield the events that `data` completes; read the iterator to its end before feeding more.

        Raises:
            BadReply: A line or an event is too long; the events before it have been yielded.
        """
        if self._after_cr and data.startswith(b"\n"):
            data = data[1:]
            self._after_cr = False
        if not data:
            return
        self._after_cr = data.endswith(b"\r")
        # Most servers end lines with LF alone, and splitting at one byte is much faster.
        *lines, tail = _LINE_END.split(data) if b"\r" in data else data.split(b"\n")
        for piece in lines:
            line = self._complete_line(piece) if self._tail or len(piece) > self._line_limit else piece
            if line.startswith(_DATA) and not self._at_start:
                self._add(line[len(_DATA) :])
            elif line or self._at_start:
                self._take(line)
            elif self._data:
                yield self._event()
            else:
                self._name = ""
        self._extend(tail)

    @property
    def fresh(self) -> bool:
        """Whether the next byte starts an event, but not the stream."""
        return not (self._tail or self._data or self._name or self._after_cr or self._at_start)

    def end(self) -> Iterator[Event]:
        """Yield the event without a blank line after it, also one that ends before its data.

        The standard drops it, but some servers omit the blank line after the last event; the reader checks that its
        data are complete.
        """
        line = self._complete_line(b"")
        if line or self._at_start:
            self._take(line)
        if self._data or self._name:
            yield self._event()

    def _complete_line(self, piece: bytes) -> bytes:
        """The line that ends with `piece`."""
        self._extend(piece)
        line = bytes(self._tail)
        self._tail.clear()
        return line

    def _extend(self, piece: bytes) -> None:
        """Buffer a part of a line."""
        length = len(self._tail) + len(piece)
        if length > self._line_limit or length + self._size > self._event_limit:
            raise too_large_event()
        self._tail += piece

    def _take(self, line: bytes) -> None:
        """Apply the field of a line; a comment has an empty name."""
        if self._at_start:
            self._at_start = False
            line = line.removeprefix(_BOM)
        name, _, value = line.partition(b":")
        value = value[1:] if value[:1] == b" " else value
        if name == b"data":
            self._add(value)
        elif name == b"event":
            self._name = _text(value[:_NAME_LIMIT])
        elif name == b"id" and b"\0" not in value:
            self._id = _text(value[:_NAME_LIMIT])

    def _add(self, value: bytes) -> None:
        """Add a line of data."""
        self._size += len(value) + (_LINE_COST if self._data else 1)
        if self._size > self._event_limit:
            raise too_large_event()
        self._data.append(value)

    def _event(self) -> Event:
        """The event that a blank line completes."""
        event = Event(_text(b"\n".join(self._data)), self._name or "message", self._id)
        self._data, self._name, self._size = [], "", 0
        return event


def _text(data: bytes) -> str:
    """Whole lines as text, which equals decoding the stream; bad bytes become U+FFFD."""
    return data.decode("utf-8", "replace")


def too_large_event() -> BadReply:
    """The error for a line or event above its limit."""
    return BadReply("an event of the stream is larger than 1 MiB", fault="event_too_large")
