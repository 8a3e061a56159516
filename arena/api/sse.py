"""Server-sent events: how one looks on the wire, and a heartbeat while nothing happens."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Final

from fastapi.responses import StreamingResponse

from arena.meters import READERS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from arena.wire import Wire

HEARTBEAT: Final = 15.0
"""Seconds of silence after which a comment keeps proxies and browsers from hanging up."""

_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


def event(message: Wire, number: str | None = None) -> bytes:
    """One event: its name is the class in snake case, its data one line of JSON."""
    name = _CAPITAL.sub("_", type(message).__name__).lower()
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {name}\ndata: {message.model_dump_json()}\n\n".encode()


def stream(events: AsyncIterator[bytes], *, heartbeat: float = HEARTBEAT) -> StreamingResponse:
    """Answer with events until they end or the reader leaves."""
    return StreamingResponse(_beating(events, heartbeat), media_type="text/event-stream", headers=_HEADERS)


async def _beating(events: AsyncIterator[bytes], heartbeat: float) -> AsyncGenerator[bytes]:
    upcoming = asyncio.ensure_future(anext(events, None))
    READERS.inc()
    try:
        while True:
            done, _ = await asyncio.wait({upcoming}, timeout=heartbeat)
            if not done:
                yield b": still here\n\n"
                continue
            if (item := upcoming.result()) is None:
                return
            yield item
            upcoming = asyncio.ensure_future(anext(events, None))
    finally:
        READERS.dec()
        upcoming.cancel()
