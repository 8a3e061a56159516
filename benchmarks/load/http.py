"""A minimal HTTP client with little CPU time per request: keep-alive connections and event streams."""

from __future__ import annotations

import asyncio
import re
import ssl
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Self, cast

from arena_providers.transport.sse import EventParser

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena_providers.transport.sse import Event

_LAST_CHUNK: Final = b"\r\n0\r\n\r\n"
_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_COOKIE: Final = re.compile(rb"\r\nset-cookie: *([^;\r]+)", re.IGNORECASE)
_LAST: Final = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)
_ETAG: Final = re.compile(rb"\r\netag: *([^\r]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete response."""

    status: int
    head: bytes
    body: bytes

    @property
    def cookie(self) -> str:
        """The value of Set-Cookie, or an empty string."""
        return _first_match(_COOKIE, self.head)

    @property
    def etag(self) -> str:
        """The ETag, or an empty string."""
        return _first_match(_ETAG, self.head)


def _first_match(pattern: re.Pattern[bytes], head: bytes) -> str:
    match = pattern.search(head)
    return match[1].decode() if match else ""


def request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """Encode a request; names of `headers` are written with underscores."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *(_header(*item) for item in headers.items())]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _header(name: str, value: str) -> str:
    return f"{name.replace('_', '-')}: {value}"


@cache
def _trust() -> ssl.SSLContext:
    """A TLS context that accepts the self-signed certificate of the benchmark's proxy."""
    trust = ssl.create_default_context()
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
    return trust


def as_visitor(number: int) -> dict[str, Any]:
    """Connection options for a visitor through the proxy: TLS, and a separate /24 neighbourhood.

    The proxy limits requests and streams per address, and votes of one neighbourhood are serialised.
    """
    high, low = divmod(number, 250)
    return {"ssl": _trust(), "local_addr": (f"127.{1 + high}.{low}.1", 0)}


class Connection(asyncio.Protocol):
    """A keep-alive connection: one request at a time, each response with a Content-Length."""

    @classmethod
    async def open(cls, port: int, **options: Any) -> Connection:
        """Connect to a port of this machine; `options` are those of `create_connection`."""
        _, connection = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port, **options)
        return connection

    def __init__(self) -> None:
        self._buffer = b""
        self._waiting: asyncio.Future[Answer] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    async def ask(self, content: bytes) -> Answer:
        """Send a request and return its response.

        Raises:
            ConnectionError: The server closed the connection.
        """
        if self.closing:
            raise ConnectionError("the server closed the connection")
        self._waiting = asyncio.get_running_loop().create_future()
        self._transport.write(content)
        return await self._waiting

    @property
    def closing(self) -> bool:
        """Whether the server has closed the connection or announced it."""
        return self._transport.is_closing()

    def close(self) -> None:
        """Close the connection."""
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0 or self._waiting is None:
            return
        head = self._buffer[:end]
        length = _LENGTH.search(head)
        length_of_answer = end + 4 + (int(length[1]) if length else 0)
        if len(self._buffer) >= length_of_answer and not self._waiting.done():
            answer = Answer(int(head[9:12]), head, self._buffer[end + 4 : length_of_answer])
            self._buffer = self._buffer[length_of_answer:]
            if _LAST.search(head):
                self.close()
            self._waiting.set_result(answer)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._waiting and not self._waiting.done():
            self._waiting.set_exception(ConnectionError(str(exc or "the server closed the connection")))


class EventStream(asyncio.Protocol):
    """A stream of server-sent events, each passed to `hear` on arrival.

    The parser also gets the lines of the head and the chunk sizes, which it ignores as unknown fields. This requires
    complete events in each chunk.
    """

    @classmethod
    async def open(cls, port: int, content: bytes, hear: Callable[[Event], None], **options: Any) -> Self:
        """Send one request and read its response; `options` as in `Connection.open`."""
        loop = asyncio.get_running_loop()
        transport, stream = await loop.create_connection(lambda: cls(hear), "127.0.0.1", port, **options)
        transport.write(content)
        return stream

    def __init__(self, hear: Callable[[Event], None]) -> None:
        self._hear = hear
        self._parser = EventParser()
        self._tail = b""
        self.ended = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        for event in self._parser.feed(data):
            self._hear(event)
        self._tail = (self._tail + data)[-len(_LAST_CHUNK) :]
        if self._tail == _LAST_CHUNK:
            self.close()

    def close(self) -> None:
        """Close the connection."""
        self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the reason does not matter
        if not self.ended.done():
            self.ended.set_result(None)
