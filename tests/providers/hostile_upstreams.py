"""Behaviours of hostile endpoints on one connection; each writes as fast as its client reads."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
OPEN = HEAD + b"\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
PIECE = 60_000


def delta(text: str, **more: object) -> bytes:
    choice = {"index": 0, "delta": {"content": text, **more}, "finish_reason": None}
    return f"data: {json.dumps({'choices': [choice]})}\n\n".encode()


def forever(head: bytes, piece: bytes) -> Callable[[], Iterator[bytes]]:
    return lambda: itertools.chain([head], itertools.repeat(piece))


def once(*pieces: bytes) -> Callable[[], Iterator[bytes]]:
    return lambda: iter(pieces)


def dripped(head: bytes, piece: bytes) -> Callable[[], Iterator[bytes | float]]:
    return lambda: itertools.chain([head], itertools.cycle([piece, 0.1]))


BOMB = gzip.compress(gzip.compress(bytes(8 * 1024 * 1024), mtime=0), mtime=0)

BEHAVIOURS: dict[str, Callable[[], Iterator[bytes | float]]] = {
    "one endless line": forever(OPEN, b"x" * PIECE),
    "endless lines without a field": forever(OPEN, b"x" * 999 + b"\n"),
    "endless comments": forever(OPEN, b": ping\n\n" * 6000),
    "endless empty lines": forever(OPEN, b"\n" * PIECE),
    "endless events without text": forever(OPEN, delta("") * 500),
    "endless text": forever(OPEN, delta("more ") * 500),
    "endless hidden reasoning": forever(OPEN, delta("", reasoning_content="hm ") * 500),
    "endless data lines of one event": forever(OPEN, b"data: {\n" * 6000),
    "an event as long as may be, for ever": forever(OPEN, delta("x" * 60_000)),
    "brackets without end": once(OPEN, b"data: " + b"[" * PIECE + b"\n\n"),
    "a long number": once(OPEN, b"data: " + b"9" * PIECE + b"\n\n"),
    "bytes that are no text": forever(OPEN, b"data: \xff\xfe\x80\n\n" * 5000),
    "carriage returns": forever(OPEN, b"\r" * PIECE),
    "zero bytes": forever(OPEN, bytes(PIECE)),
    "endless headers": forever(HEAD, b"X-More: " + b"x" * 1000 + b"\r\n"),
    "one endless header": forever(HEAD + b"X-More: ", b"x" * PIECE),
    "an endless status line": forever(b"HTTP/1.1 200 ", b"x" * PIECE),
    "endless interim answers": forever(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 1000),
    "chunks of one byte": forever(CHUNKED, b"1\r\nx\r\n" * 8000),
    "a chunk size without end": forever(CHUNKED, b"0" * PIECE),
    "an endless chunk extension": forever(CHUNKED, b"1;" + b"x" * PIECE),
    "a chunk larger than the world": forever(CHUNKED + b"ffffffffffffff\r\n", b"x" * PIECE),
    "endless trailers": forever(CHUNKED + b"0\r\n", b"X-More: " + b"x" * 1000 + b"\r\n"),
    "a packed bomb, twice": once(HEAD + b"Content-Encoding: gzip, gzip\r\n\r\n", BOMB),
    "an error page without end": forever(b"HTTP/1.1 500 No\r\n\r\n", b"sorry " * 10_000),
    "a web page without end": forever(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"<p>" * 20_000),
    "one JSON value without end": forever(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n", b"[" * PIECE),
    "one byte of a comment at a time": dripped(OPEN, b":"),
    "one byte of a header at a time": dripped(HEAD + b"X: ", b"x"),
    "silence": dripped(b"", b""),
    "silence after the headers": dripped(OPEN, b""),
    "text, then silence": dripped(OPEN + delta("Hi"), b""),
    "an answer that goes on after its end": forever(OPEN + delta("Hi") + b"data: [DONE]\n\n", delta("more") * 500),
}
"""Bytes to write by name; a number is a pause in seconds."""


@asynccontextmanager
async def hostile_server() -> AsyncIterator[str]:
    """Yields the base URL; `/N/…` has the Nth behaviour."""
    behaviours = list(BEHAVIOURS.values())
    talks: list[asyncio.Task[None] | None] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.append(asyncio.current_task())
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            head = await reader.readuntil(b"\r\n\r\n")
            for piece in behaviours[int(head.split(b"/")[1])]():
                if isinstance(piece, float | int):
                    await asyncio.sleep(piece)
                else:
                    writer.write(piece)
                    await writer.drain()
        writer.transport.abort()

    server = await asyncio.start_server(talk, "127.0.0.1", 0, backlog=2000)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        # Silent behaviours never notice a closed connection, and the server waits for all connections.
        for task in filter(None, talks):
            task.cancel()
