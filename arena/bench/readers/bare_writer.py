"""Driver that writes the same few bytes to many connections: a yardstick for what an announcement costs the arena.

Its argument is `Workload` as JSON; it reports the processor time of a write once it has written so often. Its readers
are a process of their own.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import socket
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

import uvloop

if TYPE_CHECKING:
    from collections.abc import Callable

PIECE: Final = b"x" * 60
"""As long as an announcement."""
PAUSE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Workload:
    """Number of connections, and writes to each."""

    readers: int
    rounds: int = 10


class Writer(asyncio.Protocol):
    """A connection to which is written."""

    def __init__(self, opened: Callable[[asyncio.Transport], None]) -> None:
        self._opened = opened

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._opened(cast("asyncio.Transport", transport))


async def read(port: int, readers: int) -> None:
    """Open all connections, and read until they end."""
    loop, opened = asyncio.get_running_loop(), list[asyncio.BaseTransport]()
    for _ in range(readers):
        opened.append((await loop.create_connection(asyncio.Protocol, "127.0.0.1", port))[0])
    while not all(each.is_closing() for each in opened):  # noqa: ASYNC110 - it has nothing else to do
        await asyncio.sleep(PAUSE)


async def write(listener: socket.socket, work: Workload) -> float:
    """Write to all connections again and again; returns the microseconds of a write."""
    opened: list[asyncio.Transport] = []
    server = await asyncio.get_running_loop().create_server(lambda: Writer(opened.append), sock=listener, backlog=2048)
    while len(opened) < work.readers:  # noqa: ASYNC110 - nothing else is to be woken
        await asyncio.sleep(PAUSE)
    start = time.process_time()
    for _ in range(work.rounds):
        for each in opened:
            each.write(PIECE)
        await asyncio.sleep(PAUSE)
    spent = time.process_time() - start
    for each in opened:
        each.close()
    server.close()
    return 1e6 * spent / work.rounds / work.readers


def main(work: Workload) -> None:
    """Read in a child, write here, and report."""
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        if not os.fork():
            uvloop.run(read(listener.getsockname()[1], work.readers))
            os._exit(0)
        print(json.dumps(uvloop.run(write(listener, work))), flush=True)  # noqa: T201 - the pipe to the benchmark
    os.wait()


if __name__ == "__main__":
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    main(Workload(**json.loads(sys.argv[1])))
