"""A server that must not be reached, and a resolver and dialler that record calls."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class Canary:
    """Counts connections without answering."""

    port: int = 0
    hits: int = 0

    async def _meet(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.hits += 1
        writer.close()

    @asynccontextmanager
    async def listening(self):
        server = await asyncio.start_server(self._meet, "127.0.0.1", 0, backlog=1000)
        async with server:
            self.port = server.sockets[0].getsockname()[1]
            yield self


@dataclass
class Names:
    """A scripted name server: each query gets the next list of addresses."""

    answer: Callable[[int], Sequence[str]]
    asked: list[str] = field(default_factory=list)

    async def __call__(self, host: str, port: int) -> list[tuple]:
        self.asked.append(host)
        return [(text, port, 0, 0) if ":" in text else (text, port) for text in self.answer(len(self.asked) - 1)]


@dataclass
class Dialler:
    """Records connections; public addresses are redirected to `port` of this machine, or refused."""

    port: int | None = None
    dialled: list[str] = field(default_factory=list)

    async def __call__(self, sock: socket.socket, address: tuple) -> None:
        self.dialled.append(address[0])
        if self.port is None:
            raise ConnectionRefusedError("nobody there")
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", self.port))
