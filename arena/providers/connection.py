"""One HTTP/1.1 connection, read by a compiled parser: it runs for every token of every answer.

The pool that keeps connections and hands them out is httpcore2's; what it keeps is ours.
"""

from __future__ import annotations

import time
from contextlib import suppress
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final, cast

import httpcore2
import httptools

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator, AsyncIterable

    from httpcore2 import AsyncNetworkStream, Origin, Request

READ: Final = 64 * 1024
SILENT_LIMIT: Final = 100 * 1024
"""Most bytes that may come without a byte of an answer's body: headers, sizes of chunks, trailers."""
_FIRST_FINAL: Final = 200
_SWITCHING: Final = 101
_UNFIT: Final = frozenset(b"\r\n\0")


class _State(Enum):
    NEW = auto()
    ACTIVE = auto()
    IDLE = auto()
    CLOSED = auto()


class Pool(httpcore2.AsyncConnectionPool):
    """Keeps connections of our own kind."""

    def __init__(
        self, *, verify: ssl.SSLContext, backend: httpcore2.AsyncNetworkBackend, idle: int, idle_seconds: float
    ) -> None:
        """No ceiling: slots for running answers limit it, and waiting here would count as a slow endpoint."""
        super().__init__(max_connections=None, max_keepalive_connections=idle)
        verify.set_alpn_protocols(["http/1.1"])
        self._verify = verify
        self._backend = backend
        self._idle_seconds = idle_seconds

    def create_connection(self, origin: Origin) -> Connection:
        return Connection(origin, self._backend, self._verify, self._idle_seconds)


class Connection(httpcore2.AsyncConnectionInterface):
    """Carries one request at a time; kept where its reader has seen the end of the answer, and nothing came behind.

    Many servers close after a stream although they say otherwise; whoever stops at the last event does not meet that.
    """

    def __init__(
        self, origin: Origin, backend: httpcore2.AsyncNetworkBackend, verify: ssl.SSLContext, idle_seconds: float
    ) -> None:
        self._origin = origin
        self._backend = backend
        self._verify = verify
        self._idle_seconds = idle_seconds
        self._state = _State.NEW
        self._expires = 0.0
        self._stream: AsyncNetworkStream | None = None

    async def handle_async_request(self, request: Request) -> httpcore2.Response:
        """Send a request and read the head of its answer.

        Raises:
            httpcore2.ConnectionNotAvailable: Another request was faster.
            httpcore2.NetworkError, httpcore2.TimeoutException, httpcore2.ProtocolError: As their names say.
        """
        if self._state not in {_State.NEW, _State.IDLE}:
            raise httpcore2.ConnectionNotAvailable
        self._state = _State.ACTIVE
        try:
            stream = self._stream = self._stream or await self._connect(request)
            with suppress(httpcore2.WriteError):
                # Whoever hangs up before all is sent has often answered.
                await _send(stream, request)
            reading = _Reading(stream)
            await reading.head()
        except BaseException:
            await self.aclose()
            raise
        body = _Body(self, reading)
        return httpcore2.Response(reading.status, headers=reading.headers, content=body)

    async def _connect(self, request: Request) -> AsyncNetworkStream:
        wait = _timeouts(request).get("connect")
        host = self._origin.host.decode("ascii")
        stream = await self._backend.connect_tcp(host, self._origin.port, timeout=wait)
        if self._origin.scheme != b"https":
            return stream
        return await stream.start_tls(self._verify, server_hostname=host, timeout=wait)

    async def release(self, *, reusable: bool) -> None:
        """Wait for the next request, or hang up."""
        if not reusable:
            await self.aclose()
        elif self._state is _State.ACTIVE:
            self._state, self._expires = _State.IDLE, time.monotonic() + self._idle_seconds

    async def aclose(self) -> None:
        self._state = _State.CLOSED
        if self._stream is not None:
            await self._stream.aclose()

    def can_handle_request(self, origin: Origin) -> bool:
        return origin == self._origin

    def is_connected(self) -> bool:
        return self._stream is not None and not self.is_closed()

    def is_available(self) -> bool:
        return self._state is _State.IDLE

    def is_idle(self) -> bool:
        return self._state is _State.IDLE

    def is_closed(self) -> bool:
        return self._state is _State.CLOSED

    def has_expired(self) -> bool:
        """Whether it has waited too long, or the endpoint has hung up or spoken unasked."""
        if self._state is not _State.IDLE or self._stream is None:
            return False
        return time.monotonic() > self._expires or bool(self._stream.get_extra_info("is_readable"))

    def info(self) -> str:
        return f"{self._origin}, {self._state.name}"


class _Reading:
    """One answer as it is read; the parser calls the methods whose names begin with `on_`."""

    def __init__(self, stream: AsyncNetworkStream) -> None:
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.read = False
        """Whether its reader has seen the end."""
        self.reusable = False
        self._parser = httptools.HttpResponseParser(self)
        self._stream = stream
        self._headed = False
        self._complete = False
        self._pieces: list[bytes] = []
        self._silent = 0

    async def head(self) -> None:
        """Read until all headers of the final answer are there."""
        while not self._headed:
            await self._more()

    async def body(self) -> AsyncGenerator[bytes]:
        """Yield what each read brings."""
        while True:
            if self._pieces:
                data = b"".join(self._pieces)
                self._pieces.clear()
                yield data
            elif self._complete:
                self.read = True
                return
            else:
                await self._more()

    async def _more(self) -> None:
        data = await self._stream.read(READ)
        if not data:
            self._end()
            return
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self.reusable = False
        except httptools.HttpParserError as error:
            self.reusable = False
            # What comes behind a whole answer is no part of it.
            if not self._complete:
                raise httpcore2.RemoteProtocolError(str(error)) from error
        self._silent = 0 if self._pieces else self._silent + len(data)
        if self._silent > SILENT_LIMIT:
            raise httpcore2.RemoteProtocolError("more bytes without an answer than there may be")

    def _end(self) -> None:
        """The endpoint has hung up: the end of an answer that tells no length, and the break of any other."""
        told = {name.lower() for name, _ in self.headers} & {b"content-length", b"transfer-encoding"}
        if not self._headed or told:
            raise httpcore2.RemoteProtocolError("the endpoint hung up before the end of its answer")
        self._complete, self.reusable = True, False

    def on_message_begin(self) -> None:
        self.reusable = False

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._headed:
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        if self._complete:
            return
        self.status = self._parser.get_status_code()
        self._headed = self.status >= _FIRST_FINAL or self.status == _SWITCHING
        self.reusable = self._parser.should_keep_alive()

    def on_body(self, body: bytes) -> None:
        if not self._complete:
            self._pieces.append(body)

    def on_message_complete(self) -> None:
        if self._headed:
            self._complete = True
        else:
            self.headers.clear()


class _Body:
    """The rest of an answer; its connection is free again once this is closed."""

    def __init__(self, connection: Connection, reading: _Reading) -> None:
        self._connection = connection
        self._reading = reading

    def __aiter__(self) -> AsyncGenerator[bytes]:
        return self._reading.body()

    async def aclose(self) -> None:
        await self._connection.release(reusable=self._reading.read and self._reading.reusable)


async def _send(stream: AsyncNetworkStream, request: Request) -> None:
    wait = _timeouts(request).get("write")
    lines = [request.method + b" " + request.url.target + b" HTTP/1.1"]
    lines += [name + b": " + value for name, value in request.headers]
    if any(not _UNFIT.isdisjoint(line) for line in lines):
        raise httpcore2.LocalProtocolError("a line break in the head of a request")
    await stream.write(b"\r\n".join([*lines, b"", b""]), timeout=wait)
    async for piece in cast("AsyncIterable[bytes]", request.stream):
        await stream.write(piece, timeout=wait)


def _timeouts(request: Request) -> dict[str, float | None]:
    extensions = cast("dict[str, Any]", request.extensions)  # pyright: ignore[reportUnknownMemberType] - theirs
    return extensions.get("timeout", {})
