"""One JSON value a line, read from bytes as they arrive, under the same limits as server-sent events.

Lines end with LF or CR LF. The last one may lack its end: whether it is whole, its JSON tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.providers.errors import BadReply
from arena.providers.sse import LINE_LIMIT, Event

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterable, Iterator


class LineParser:
    """Turns the bytes of one stream into lines; empty lines say nothing and are left out."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, data: bytes) -> Iterator[Event]:
        """Yield the lines that `data` completes; read the iterator to its end before feeding more.

        Raises:
            BadReply: A line is too long; the lines before it have been yielded.
        """
        *ended, rest = data.split(b"\n")
        for piece in ended:
            self._extend(piece)
            yield from self.end()
        self._extend(rest)

    def end(self) -> Iterator[Event]:
        """Yield the line that no line end has completed, if there is one."""
        line = bytes(self._rest).strip()
        self._rest.clear()
        if line:
            # A line holds whole characters, so decoding it alone equals decoding the stream.
            yield Event(line.decode("utf-8", "replace"))

    def _extend(self, piece: bytes) -> None:
        if len(self._rest) + len(piece) > LINE_LIMIT:
            raise BadReply(f"a line of the stream is longer than {LINE_LIMIT} bytes")
        self._rest += piece


async def read_lines(chunks: AsyncIterable[bytes]) -> AsyncGenerator[Event, None]:
    """Yield the lines of one stream as its bytes arrive; closing `chunks` is the caller's part."""
    parser = LineParser()
    async for data in chunks:
        for line in parser.feed(data):
            yield line
    for line in parser.end():
        yield line
