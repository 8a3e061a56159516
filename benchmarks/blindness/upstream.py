"""A local Chat Completions server with the timing of the mocks; the model's name is the mock's number.

Its argument is a seed; it reports its port and serves until end of input.
"""

from __future__ import annotations

import asyncio
import json
import sys
from random import Random
from typing import Final

from benchmarks.blindness.mocks import MOCKS

_HEAD: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


async def main(seed: int) -> None:
    """Serve until end of input."""
    rng = Random(seed)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            body = json.loads(await reader.readexactly(int(head.partition(b"content-length:")[2].split()[0])))
            await _answer(writer, int(body["model"]), rng)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)  # noqa: T201 - the pipe to the benchmark
    await asyncio.to_thread(sys.stdin.read)


async def _answer(writer: asyncio.StreamWriter, number: int, rng: Random) -> None:
    clock = asyncio.get_running_loop().time
    due = clock()
    writer.write(_HEAD)
    for wait, size in MOCKS[number].pieces(rng):
        due += wait
        await asyncio.sleep(due - clock())
        writer.write(_event({"delta": {"content": "x" * size}, "finish_reason": None}))
        await writer.drain()
    writer.write(_event({"delta": {}, "finish_reason": "stop"}) + b"data: [DONE]\n\n")
    await writer.drain()


def _event(choice: dict[str, object]) -> bytes:
    return b"data: " + json.dumps({"choices": [{"index": 0, **choice}]}).encode() + b"\n\n"


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
