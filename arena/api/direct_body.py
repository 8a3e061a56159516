"""The body of a response on a connection of the arena's own server, written past the middleware."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from uvicorn.protocols.http.flow_control import FlowControl

    from arena.api.joined_writes import JoinedWrites

DIRECT: Final = "arena.direct"
"""The extension of a connection's scope: its `DirectBody`."""


class DirectBody:
    """A chunked body, from the head of its response to its end."""

    def __init__(self, writes: JoinedWrites, flow: FlowControl) -> None:
        self._writes = writes
        self._flow = flow

    def write(self, piece: bytes) -> bool:
        """Send a piece unless the server's buffer is full; returns whether it did."""
        if self._flow.write_paused or self._writes.is_closing():
            return False
        self._writes.write_now(_chunk(piece))
        return True


@lru_cache(8)
def _chunk(piece: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(piece), piece)
