"""The least that a driver of load needs of HTTP: requests on kept connections, and streams of events."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable

_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_COOKIE: Final = re.compile(rb"\r\nset-cookie: *([^;\r]+)", re.IGNORECASE)
_ETAG: Final = re.compile(rb"\r\netag: *([^\r]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer."""

    status: int
    head: bytes
    body: bytes

    @property
    def cookie(self) -> str:
        """The cookie it sets, or nothing."""
        return _first(_COOKIE, self.head)

    @property
    def etag(self) -> str:
        """Its validator, or nothing."""
        return _first(_ETAG, self.head)


def _first(pattern: re.Pattern[bytes], head: bytes) -> str:
    found = pattern.search(head)
    return found[1].decode() if found else ""


def request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """The bytes of a request; names of `headers` are written with underscores."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *(_header(*each) for each in headers.items())]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _header(name: str, value: str) -> str:
    return f"{name.replace('_', '-')}: {value}"


class Connection(asyncio.Protocol):
    """One kept connection: a request at a time, each answered with a length."""

    @classmethod
    async def open(cls, port: int) -> Connection:
        """Connect to this machine."""
        _, connection = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        return connection

    def __init__(self) -> None:
        self._held = b""
        self._waiting: asyncio.Future[Answer] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    async def ask(self, wanted: bytes) -> Answer:
        """Send a request and give its answer; raises ConnectionError if there is none."""
        if self._transport.is_closing():
            raise ConnectionError("the server has hung up")
        self._waiting = asyncio.get_running_loop().create_future()
        self._transport.write(wanted)
        return await self._waiting

    def close(self) -> None:
        """Hang up."""
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        self._held += data
        end = self._held.find(b"\r\n\r\n")
        if end < 0 or self._waiting is None:
            return
        head = self._held[:end]
        length = _LENGTH.search(head)
        whole = end + 4 + (int(length[1]) if length else 0)
        if len(self._held) >= whole and not self._waiting.done():
            answer = Answer(int(head[9:12]), head, self._held[end + 4 : whole])
            self._held = self._held[whole:]
            self._waiting.set_result(answer)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._waiting and not self._waiting.done():
            self._waiting.set_exception(ConnectionError(str(exc or "the server has hung up")))


class Listening(asyncio.Protocol):
    """A stream of events: `hear` gets each as it arrives, without its blank line; chunk sizes stand before some."""

    @classmethod
    async def open(cls, port: int, wanted: bytes, hear: Callable[[bytes], None]) -> Listening:
        """Send one request and listen."""
        loop = asyncio.get_running_loop()
        transport, listening = await loop.create_connection(lambda: cls(hear), "127.0.0.1", port)
        transport.write(wanted)
        return listening

    def __init__(self, hear: Callable[[bytes], None]) -> None:
        self._hear = hear
        self._held = b""
        self.ended = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        *events, self._held = (self._held + data).split(b"\n\n")
        for event in events:
            self._hear(event)
        if self._held.endswith(b"\r\n0\r\n\r\n") or self._held == b"\r\n0\r\n\r\n":
            self.close()

    def close(self) -> None:
        """Hang up."""
        self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - whatever it was
        if not self.ended.done():
            self.ended.set_result(None)
