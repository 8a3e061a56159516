"""Open streams of server-sent events that all say the same, written straight to their connections.

A generator for each reader would be woken for each event, and its message pass the whole middleware, which takes ten
times as long as the write. Here the task of a reader sleeps until the reader leaves, and whoever has an event writes it
to all.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from fastapi import Response

from arena.adapters.observability.metrics import READERS
from arena.api.direct_body import DIRECT
from arena.api.event_stream import HEADERS, HEARTBEAT, STILL_HERE

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

AT_ONCE: Final = 100
"""Readers that are written to before other work has its turn."""


class Body(Protocol):
    """The body of a response that has begun."""

    def write(self, piece: bytes) -> bool:
        """Send a piece unless earlier ones still wait to be sent; returns whether it did."""
        ...


class SentBody:
    """A body on any other server, which is sent by a task."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._sending: asyncio.Future[None] | None = None

    def write(self, piece: bytes) -> bool:
        """As in `Body`."""
        if self._sending and not self._sending.done():
            return False
        message = {"type": "http.response.body", "body": piece, "more_body": True}
        self._sending = asyncio.ensure_future(self._send(message))
        return True


@dataclass(slots=True, eq=False)
class _Reader:
    body: Body
    behind: bool = False
    """Whether it has missed what was written last."""


class FanOut:
    """The readers of one stream, of which only the newest event counts."""

    def __init__(self, heartbeat: float = HEARTBEAT) -> None:
        self._heartbeat = heartbeat
        self._readers: dict[asyncio.Task[None], _Reader] = {}
        self._newest = b""
        self._spoken = 0.0
        self._closed = False

    async def announce(self, event: bytes) -> None:
        """Write an event to all readers; whoever comes later begins with it."""
        self._newest = event
        await self._write(event)

    async def beat(self) -> None:
        """Write a comment to all readers after each silence, until cancelled."""
        now = asyncio.get_running_loop().time
        self._spoken = now()
        while True:
            await asyncio.sleep(max(self._spoken + self._heartbeat - now(), 0))
            if now() - self._spoken >= self._heartbeat:
                await self._write(STILL_HERE)

    async def _write(self, piece: bytes) -> None:
        """Write a piece to all; a slow reader misses it, and gets the newest event instead of the next one."""
        self._spoken = asyncio.get_running_loop().time()
        readers = list(self._readers.values())
        for start in range(0, len(readers), AT_ONCE):
            for reader in readers[start : start + AT_ONCE]:
                reader.behind = not reader.body.write(self._newest if reader.behind else piece)
            await asyncio.sleep(0)

    async def follow(self, body: Body, receive: Receive) -> bool:
        """Write to `body` until its reader leaves; returns False if it is `close` that ended it."""
        if self._closed:
            return False
        leaving = asyncio.create_task(_left(receive))
        self._readers[leaving] = _Reader(body, behind=bool(self._newest) and not body.write(self._newest))
        READERS.inc()
        try:
            await asyncio.wait([leaving])
        finally:
            READERS.dec()
            del self._readers[leaving]
            leaving.cancel()
        return not leaving.cancelled()

    def close(self) -> None:
        """End all streams, and those that are still asked for."""
        self._closed = True
        for leaving in self._readers:
            leaving.cancel()


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class FannedOut(Response):
    """A response that follows what is written to all."""

    media_type = "text/event-stream"

    def __init__(self, fan_out: FanOut) -> None:
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._fan_out = fan_out

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the head, and whatever is written until the reader leaves."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        body = scope.get("extensions", {}).get(DIRECT) or SentBody(send)
        if not await self._fan_out.follow(body, receive):
            await send({"type": "http.response.body", "body": b"", "more_body": False})
