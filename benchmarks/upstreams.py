"""Local Chat Completions servers in a process of their own; the first of them can be made faulty.

The argument is the number of servers; their ports are printed. Each line on the input, one of `FAULTS` or `well`, sets
the fault of the first server, and is answered with the number of requests that all of them have had.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from typing import Final

FAULTS: Final = ("hung", "failing", "limited", "cut")
FIRST: Final = (0.5, 0.7)
"""Seconds to the first token, uniformly distributed."""
PIECES: Final = 20
PAUSE: Final = 0.05
_HEAD: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
_FAILING: Final = b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_LIMITED: Final = b"HTTP/1.1 429 Slow\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Servers:
    """All servers, the number of their requests, and the fault of the first one."""

    def __init__(self) -> None:
        self.asked = 0
        self.ill = "well"
        self._rng = random.Random(20)

    async def open(self, count: int) -> list[int]:
        """Start `count` servers; returns their ports."""
        return [await self._listen(first=number == 0) for number in range(count)]

    async def _listen(self, *, first: bool) -> int:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                await _request(reader)
                self.asked += 1
                await self._answer(writer, self.ill if first else "well")
            except (OSError, asyncio.IncompleteReadError):
                pass
            finally:
                writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        return int(server.sockets[0].getsockname()[1])

    async def _answer(self, writer: asyncio.StreamWriter, ill: str) -> None:
        if ill == "hung":
            await asyncio.sleep(600)
        elif ill in {"failing", "limited"}:
            writer.write(_FAILING if ill == "failing" else _LIMITED)
            await writer.drain()
        else:
            await self._talk(writer, PIECES // 4 if ill == "cut" else PIECES, whole=ill != "cut")

    async def _talk(self, writer: asyncio.StreamWriter, pieces: int, *, whole: bool) -> None:
        writer.write(_HEAD)
        await asyncio.sleep(self._rng.uniform(*FIRST))
        for _ in range(pieces):
            writer.write(_event({"delta": {"content": "some words "}, "finish_reason": None}))
            await writer.drain()
            await asyncio.sleep(PAUSE)
        if whole:
            writer.write(_event({"delta": {}, "finish_reason": "stop"}) + b"data: [DONE]\n\n")
            await writer.drain()


async def _request(reader: asyncio.StreamReader) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    await reader.readexactly(int(lengths[0]) if lengths else 0)


def _event(choice: dict[str, object]) -> bytes:
    return b"data: " + json.dumps({"choices": [{"index": 0, **choice}]}).encode() + b"\n\n"


async def main(count: int) -> None:
    """Serve until end of input."""
    servers = Servers()
    print(json.dumps(await servers.open(count)), flush=True)  # noqa: T201 - the pipe to the benchmark
    while line := await asyncio.to_thread(sys.stdin.readline):
        servers.ill = line.strip()
        print(servers.asked, flush=True)  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
