"""Newline-delimited JSON, parsed as bytes arrive, with the same limits as server-sent events.

Lines end with LF or CR LF. The last line may lack its end; it is dropped if it is not complete JSON.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from arena.adapters.providers.errors import BadReply
from arena.adapters.providers.transport.sse import LINE_LIMIT, Event

if TYPE_CHECKING:
    from collections.abc import Iterator


class LineParser:
    """Splits the bytes of one stream into lines; empty lines are skipped."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._begun = False

    def feed(self, data: bytes) -> Iterator[Event]:
        """Yield the lines that `data` completes; exhaust the iterator before feeding more.

        Raises:
            BadReply: A line is too long; the lines before it have been yielded.
        """
        *ended, rest = data.split(b"\n")
        for piece in ended:
            self._extend(piece)
            if line := self._line():
                self._begun = True
                yield line
        self._extend(rest)

    def end(self) -> Iterator[Event]:
        """Yield the last line if it has no line end and is complete."""
        line = self._line()
        # A body without a complete line is not a truncated stream: let the reader reject it.
        if line and (not self._begun or _is_json(line.data)):
            yield line

    def _line(self) -> Event | None:
        line = bytes(self._rest).strip()
        self._rest.clear()
        # Lines never split a character, so decoding each alone equals decoding the stream.
        return Event(line.decode("utf-8", "replace")) if line else None

    def _extend(self, piece: bytes) -> None:
        if len(self._rest) + len(piece) > LINE_LIMIT:
            raise BadReply(f"a line of the stream is longer than {LINE_LIMIT} bytes")
        self._rest += piece


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
