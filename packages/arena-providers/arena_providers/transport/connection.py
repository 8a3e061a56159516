"""An HTTP/1.1 connection with a compiled parser, whose response is read on demand.

Requests and errors are httpx2's.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import httptools
import httpx2

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Mapping

    from arena_providers.transport.dialing import CheckedDialer
    from arena_providers.transport.sockets import PlainSocket

    Released = Callable[["HttpConnection"], Awaitable[None]]

BODY: Final = "arena.body"
"""Name of the response extension with its `ResponseBody`, which can be read without waiting."""
SILENT_LIMIT: Final = 100 * 1024
"""Most bytes in a row outside the body: headers, chunk sizes, trailers."""
_FIRST_FINAL: Final = 200
_SWITCHING: Final = 101
_LINE_BREAKS: Final = frozenset(b"\r\n\0")


class TooManyHeaders(httpx2.RemoteProtocolError):
    """More than `SILENT_LIMIT` bytes in a row outside the body."""


class Origin(NamedTuple):
    """The server of a connection, and the route of the egress policy to it."""

    route: str
    scheme: str
    host: str
    port: int


class HttpConnection:
    """A connection for one request at a time, reused only after a response that was read to its exact end.

    Many servers close after a stream although they announce keep-alive, so a stream is not read beyond its last event.
    """

    def __init__(self, origin: Origin, dialer: CheckedDialer, verify: ssl.SSLContext, released: Released) -> None:
        """`released` is called at the end of each response."""
        self.origin = origin
        self.reusable = False
        """Whether another request may follow the last one."""
        self._dialer = dialer
        self._verify = verify
        self._released = released
        self._active = False
        self._socket: PlainSocket | None = None

    async def send(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and read the headers of the response; closes the connection if that fails.

        Raises:
            httpx2.TransportError: The kind of failure.
        """
        self._active = True
        try:
            limits = cast("Mapping[str, float | None]", request.extensions.get("timeout", {}))
            sock = self._socket = self._socket or await self._connect(limits.get("connect"))
            with suppress(httpx2.WriteError):
                # A server that closes before the request is sent has often responded.
                await _write(sock, request, limits.get("write"))
            body = ResponseBody(self, sock)
            await body.head()
        except BaseException:
            await self.release(reusable=False)
            raise
        return httpx2.Response(body.status, headers=body.headers, stream=body, extensions={BODY: body})

    async def _connect(self, seconds: float | None) -> PlainSocket:
        sock = await self._dialer.open(self.origin.host, self.origin.port, seconds)
        return sock if self.origin.scheme == "http" else await sock.start_tls(self._verify, self.origin.host, seconds)

    async def release(self, *, reusable: bool) -> None:
        """End the response, once; the next request may follow, or the connection is closed."""
        if self._active:
            self._active = False
            self.reusable = reusable
            await self._released(self)

    async def aclose(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            await self._socket.aclose()

    @property
    def spoilt(self) -> bool:
        """Whether the endpoint has closed the idle connection or sent unsolicited data."""
        return self._socket is None or self._socket.readable


class ResponseBody(httpx2.AsyncByteStream):
    """One response while it is read; closing it releases the connection.

    The parser calls the methods whose names begin with `on_`.
    """

    def __init__(self, connection: HttpConnection, sock: PlainSocket) -> None:
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self._connection = connection
        self._socket = sock
        self._parser = httptools.HttpResponseParser(self)
        self._has_head = False
        self._complete = False
        self._is_read = False
        self._reusable = False
        self._pieces: list[bytes] = []
        self._silent = 0

    async def head(self) -> None:
        """Read all headers of the final response."""
        while not self._has_head:
            await self._socket.wait()
            self._feed()

    def take(self) -> bytes | None:
        """Return the part of the body that has arrived since the last call; None at its end.

        Raises:
            httpx2.ReadError, httpx2.RemoteProtocolError: As named.
        """
        if not self._pieces and not self._complete:
            self._feed()
        if self._pieces:
            data = b"".join(self._pieces)
            self._pieces.clear()
            return data
        self._is_read = self._complete
        return None if self._complete else b""

    async def wait(self) -> None:
        """Return once `take` has something new, or the end."""
        if not self._pieces and not self._complete:
            await self._socket.wait()

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        while (data := self.take()) is not None:
            if data:
                yield data
            await self.wait()

    async def aclose(self) -> None:
        await self._connection.release(reusable=self._is_read and self._reusable)

    def _feed(self) -> None:
        """Parse the bytes that have arrived."""
        if data := self._socket.take():
            self._parse(data)
        elif self._socket.ended:
            self._end()

    def _parse(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._reusable = False
        except httptools.HttpParserError as error:
            self._reusable = False
            # Data after a complete response is not part of it.
            if not self._complete:
                raise httpx2.RemoteProtocolError(str(error)) from error
        self._silent = 0 if self._pieces else self._silent + len(data)
        if self._silent > SILENT_LIMIT:
            raise TooManyHeaders("too many bytes without a body")

    def _end(self) -> None:
        """The endpoint closed the connection: the end of a response without a length, an error for any other."""
        framing = {name.lower() for name, _ in self.headers} & {b"content-length", b"transfer-encoding"}
        if not self._has_head or framing:
            raise httpx2.RemoteProtocolError("the endpoint closed the connection before the end of the response")
        self._complete, self._reusable = True, False

    def on_message_begin(self) -> None:
        self._reusable = False

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._has_head:
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        if self._complete:
            return
        self.status = self._parser.get_status_code()
        self._has_head = self.status >= _FIRST_FINAL or self.status == _SWITCHING
        self._reusable = self._parser.should_keep_alive()

    def on_body(self, body: bytes) -> None:
        if not self._complete:
            self._pieces.append(body)

    def on_message_complete(self) -> None:
        if self._has_head:
            self._complete = True
        else:
            self.headers.clear()


async def _write(sock: PlainSocket, request: httpx2.Request, seconds: float | None) -> None:
    lines = [request.method.encode("ascii") + b" " + request.url.raw_path + b" HTTP/1.1"]
    lines += [name + b": " + value for name, value in request.headers.raw]
    if any(not _LINE_BREAKS.isdisjoint(line) for line in lines):
        raise httpx2.LocalProtocolError("a line break in the headers of a request")
    await sock.write(b"\r\n".join([*lines, b"", b""]), seconds)
    async for piece in cast("AsyncIterable[bytes]", request.stream):
        await sock.write(piece, seconds)
