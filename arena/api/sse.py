"""Server-sent events: how one looks on the wire, and a heartbeat while nothing happens."""

from __future__ import annotations

import asyncio
import re
from functools import cache
from typing import TYPE_CHECKING, Final

from fastapi.responses import StreamingResponse

from arena.meters import READERS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from arena.wire import Wire

HEARTBEAT: Final = 15.0
"""Seconds of silence after which a comment keeps proxies and browsers from hanging up."""

HELD: Final = 16
"""Most events that wait for a slow reader; their source knows how to make larger ones."""
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


def event(message: Wire, number: str | None = None) -> bytes:
    """One event: its name is the class in snake case, its data one line of JSON."""
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {_name(type(message))}\ndata: {message.model_dump_json()}\n\n".encode()


@cache
def _name(kind: type[Wire]) -> str:
    return _CAPITAL.sub("_", kind.__name__).lower()


def stream(events: AsyncIterator[bytes], *, heartbeat: float = HEARTBEAT) -> StreamingResponse:
    """Answer with events until they end or the reader leaves."""
    return StreamingResponse(_beating(events, heartbeat), media_type="text/event-stream", headers=_HEADERS)


async def _beating(events: AsyncIterator[bytes], heartbeat: float) -> AsyncGenerator[bytes]:
    """What comes at the same moment leaves as one piece: each piece passes every layer of the server."""
    held, stir, room = list[bytes](), asyncio.Event(), asyncio.Event()

    async def hear() -> None:
        async for item in events:
            held.append(item)
            stir.set()
            if len(held) >= HELD:
                room.clear()
                await room.wait()

    hearing = asyncio.create_task(hear())
    hearing.add_done_callback(lambda _: stir.set())
    READERS.inc()
    try:
        while held or not hearing.done():
            try:
                async with asyncio.timeout(heartbeat):
                    await stir.wait()
            except TimeoutError:
                yield b": still here\n\n"
                continue
            stir.clear()
            if held:
                piece = b"".join(held)
                held.clear()
                room.set()
                yield piece
        hearing.result()
    finally:
        READERS.dec()
        hearing.cancel()
