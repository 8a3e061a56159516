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
STILL_HERE: Final = b": still here\n\n"
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


def event(message: Wire, number: str | None = None) -> bytes:
    """Encode an event: its name is the class in snake case without `Event`, its data a line of JSON."""
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {_name(type(message))}\ndata: {message.model_dump_json()}\n\n".encode()


@cache
def _name(kind: type[Wire]) -> str:
    return _CAPITAL.sub("_", kind.__name__.removesuffix("Event")).lower()


def event_response(events: AsyncIterator[list[Step]] | None) -> Response:
    """Server-sent events of a turn; 204 tells an EventSource that nothing is left."""
    return Response(status_code=204) if events is None else EventStreamResponse(_encoded(events))


async def _encoded(events: AsyncIterator[list[Step]]) -> AsyncGenerator[bytes]:
    async for steps in events:
        yield b"".join([event(message, str(cursor)) for cursor, message in steps])


class EventStreamResponse(StreamingResponse):
    """Streams pieces of one or more events until they end or the reader disconnects.

    A slow reader suspends their source, which makes a larger piece of what has gathered meanwhile. Heartbeats cost
    nothing while events are sent.
    """

    media_type = "text/event-stream"

    def __init__(self, pieces: AsyncGenerator[bytes], heartbeat: float = HEARTBEAT) -> None:
        super().__init__(pieces, headers=HEADERS)
        self._pieces = pieces
        self._heartbeat = heartbeat
        self._now = asyncio.get_running_loop().time
        self._spoken = self._now()

    async def stream_response(self, send: Send) -> None:
        """Send the head and every piece, and a heartbeat whenever there has been none for long enough."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        READERS.inc()
        beating = asyncio.create_task(self._beat(send))
        try:
            async with aclosing(self._pieces) as pieces:
                async for piece in pieces:
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                    self._spoken = self._now()
        finally:
            READERS.dec()
            beating.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _beat(self, send: Send) -> None:
        while True:
            await asyncio.sleep(self._spoken + self._heartbeat - self._now())
            if self._now() - self._spoken >= self._heartbeat:
                await send({"type": "http.response.body", "body": STILL_HERE, "more_body": True})
                self._spoken = self._now()
