"""Local Chat Completions servers in a separate process; the first can be made faulty.

The argument is the number of servers; their ports are printed. Each input line, one of `FAULTS` or `well`, sets the
fault of the first server, and is answered by the number of requests to all servers so far.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Callable, Coroutine, Iterable
from contextlib import closing, suppress
from typing import Any, Final

FAULTS: Final = ("hung", "failing", "limited", "cut")
FIRST: Final = (0.5, 0.7)
"""Bounds of the uniform time to the first token, in seconds."""
PIECES: Final = 20
PIECE_SECONDS: Final = 0.05
_HEAD: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
_FAILING: Final = b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_LIMITED: Final = b"HTTP/1.1 429 Slow\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Servers:
    """The servers, the number of their requests, and the fault of the first."""

    def __init__(self) -> None:
        self.requests = 0
        self.ill = "well"
        self._rng = random.Random(20)

    async def open(self, count: int) -> list[int]:
        """Start `count` servers; returns their ports."""
        return [await self._listen(first=number == 0) for number in range(count)]

    async def _listen(self, *, first: bool) -> int:
        async def answer(writer: asyncio.StreamWriter, _body: Any) -> None:  # noqa: ANN401 - any JSON
            self.requests += 1
            await self._answer(writer, self.ill if first else "well")

        return await listen(answer)

    async def _answer(self, writer: asyncio.StreamWriter, ill: str) -> None:
        if ill == "hung":
            await asyncio.sleep(600)
        elif ill in {"failing", "limited"}:
            writer.write(_FAILING if ill == "failing" else _LIMITED)
            await writer.drain()
        else:
            first, pieces = self._rng.uniform(*FIRST), PIECES // 4 if ill == "cut" else PIECES
            waits = [first, *[PIECE_SECONDS] * (pieces - 1)]
            await talk(writer, [(wait, "some words ") for wait in waits], whole=ill != "cut")


async def listen(answer: Callable[[asyncio.StreamWriter, object], Coroutine[None, None, None]]) -> int:
    """Start a server that calls `answer` with the JSON of each request and closes the connection; returns its port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError), closing(writer):
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            body = await reader.readexactly(int(head.partition(b"content-length:")[2].split()[0]))
            await answer(writer, json.loads(body))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    return int(server.sockets[0].getsockname()[1])


async def talk(writer: asyncio.StreamWriter, pieces: Iterable[tuple[float, str]], *, whole: bool = True) -> None:
    """Send an answer of (seconds after the previous piece, text); its end only if `whole`."""
    clock = asyncio.get_running_loop().time
    next_time = clock()
    writer.write(_HEAD)
    for wait, text in pieces:
        next_time += wait
        await asyncio.sleep(next_time - clock())
        writer.write(_event({"delta": {"content": text}, "finish_reason": None}))
        await writer.drain()
    if whole:
        writer.write(_event({"delta": {}, "finish_reason": "stop"}) + b"data: [DONE]\n\n")
        await writer.drain()


def _event(choice: dict[str, object]) -> bytes:
    return b"data: " + json.dumps({"choices": [{"index": 0, **choice}]}).encode() + b"\n\n"


async def main(count: int) -> None:
    """Serve until end of input."""
    servers = Servers()
    print(json.dumps(await servers.open(count)), flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        servers.ill = line.strip()
        print(servers.requests, flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
