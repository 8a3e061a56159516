"""Server-sent events of a turn, and heartbeats while nothing happens."""

from __future__ import annotations

import asyncio
import re
from contextlib import aclosing
from functools import cache
from typing import TYPE_CHECKING, Final

from fastapi.responses import Response, StreamingResponse

from arena.adapters.observability.metrics import READERS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from starlette.types import Send

    from arena.domain.schemas.base import Wire
    from arena.usecases.battles.feed import Step

HEARTBEAT: Final = 15.0
"""Seconds of silence after which a comment keeps proxies and browsers from closing the connection."""

HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_COMMENT: Final = b": still here\n\n"
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


def event(message: Wire, number: str | None = None) -> bytes:
    """Encode an event: its name is the class in snake case without `Event`, its data a line of JSON."""
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {_name(type(message))}\ndata: {message.model_dump_json()}\n\n".encode()


@cache
def _name(kind: type[Wire]) -> str:
    return _CAPITAL.sub("_", kind.__name__.removesuffix("Event")).lower()


def event_response(events: AsyncIterator[list[Step]] | None) -> Response:
    """The events of a turn, or 204 without any, after which an EventSource does not reconnect."""
    return Response(status_code=204) if events is None else EventStreamResponse(_encode(events))


async def _encode(events: AsyncIterator[list[Step]]) -> AsyncGenerator[bytes]:
    async for steps in events:
        yield b"".join([event(message, str(cursor)) for cursor, message in steps])


class EventStreamResponse(StreamingResponse):
    """Streams pieces of one or more events, with heartbeats in pauses, until they end or the reader disconnects.

    A slow reader suspends the source, whose next piece then has all events since.
    """

    media_type = "text/event-stream"

    def __init__(self, pieces: AsyncGenerator[bytes], heartbeat: float = HEARTBEAT) -> None:
        super().__init__(pieces, headers=HEADERS)
        self._pieces = pieces
        self._heartbeat = heartbeat
        self._now = asyncio.get_running_loop().time
        self._last_sent = self._now()

    async def stream_response(self, send: Send) -> None:
        """Send the head, every piece, and heartbeats in pauses."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        READERS.inc()
        heartbeats = asyncio.create_task(self._send_heartbeats(send))
        try:
            async with aclosing(self._pieces) as pieces:
                async for piece in pieces:
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                    self._last_sent = self._now()
        finally:
            READERS.dec()
            heartbeats.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_heartbeats(self, send: Send) -> None:
        while True:
            await asyncio.sleep(self._last_sent + self._heartbeat - self._now())
            if self._now() - self._last_sent >= self._heartbeat:
                await send({"type": "http.response.body", "body": _COMMENT, "more_body": True})
                self._last_sent = self._now()
