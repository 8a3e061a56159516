"""Server-sent events, read from bytes as they arrive. Source: WHATWG HTML, "Interpreting an event stream".

Lines end with CR LF, LF or CR and with nothing else: U+2028 and U+0085 are ordinary text, as JSON may carry them.
The events do not depend on where the reads were cut.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.providers.errors import BadReply

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterable, Iterator

LINE_LIMIT: Final = 64 * 1024
"""Longest line in bytes, without its end."""
EVENT_LIMIT: Final = 64 * 1024
"""Most characters in the data lines of one event."""
_LINE_END: Final = re.compile(rb"\r\n|[\r\n]")
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Event:
    """One dispatched event; `id` and `retry` are not kept because an answer is never resumed."""

    data: str
    name: str = "message"


class EventParser:
    """Turns the bytes of one stream into events; an event that the end of the stream cuts off is dropped."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._after_cr = False
        self._at_start = True
        self._data: list[str] = []
        self._size = 0
        self._name = ""

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
        *ended, rest = _LINE_END.split(data)
        for piece in ended:
            self._extend(piece)
            line = bytes(self._rest)
            self._rest.clear()
            if event := self._take(line):
                yield event
        self._extend(rest)

    def _extend(self, piece: bytes) -> None:
        if len(self._rest) + len(piece) > LINE_LIMIT:
            raise BadReply(f"a line of the stream is longer than {LINE_LIMIT} bytes")
        self._rest += piece

    def _take(self, line: bytes) -> Event | None:
        if self._at_start:
            self._at_start = False
            line = line.removeprefix(_BOM)
        if not line:
            return self._dispatch()
        # A line holds whole characters, so decoding it alone equals decoding the stream; bad bytes become U+FFFD.
        name, _, value = line.decode("utf-8", "replace").partition(":")
        self._field(name, value.removeprefix(" "))
        return None

    def _field(self, name: str, value: str) -> None:
        """Note one field; a comment has an empty name."""
        if name == "event":
            self._name = value
        elif name == "data":
            self._size += len(value) + 1
            if self._size > EVENT_LIMIT:
                raise BadReply(f"an event of the stream is longer than {EVENT_LIMIT} characters")
            self._data.append(value)

    def _dispatch(self) -> Event | None:
        data, name = self._data, self._name
        self._data, self._name, self._size = [], "", 0
        return Event("\n".join(data), name or "message") if data else None


async def read_events(chunks: AsyncIterable[bytes]) -> AsyncGenerator[Event, None]:
    """Yield the events of one stream as its bytes arrive; closing `chunks` is the caller's part."""
    parser = EventParser()
    async for data in chunks:
        for event in parser.feed(data):
            yield event
