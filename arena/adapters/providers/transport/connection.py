"""An HTTP/1.1 connection with a compiled parser, as it runs for every token of every answer.

Requests, responses and errors are httpcore2's types.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, cast

import httpcore2
import httptools

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable

    from httpcore2 import Origin, Request

    from arena.adapters.providers.transport.sockets import Backend
    from arena.adapters.providers.transport.streams import Stream

    Released = Callable[["Connection", bool], Awaitable[None]]

READ: Final = 64 * 1024
BODY: Final = "arena.body"
"""Name of the response extension with its `Body`, which a reader with a clock of its own can poll."""
SILENT_LIMIT: Final = 100 * 1024
"""Most bytes without a byte of the body: headers, chunk sizes, trailers."""
_FIRST_FINAL: Final = 200
_SWITCHING: Final = 101
_UNFIT: Final = frozenset(b"\r\n\0")


class Connection:
    """Carries one request at a time; reused only if the answer was read to its end, with nothing after it.

    Many servers close after a stream although they announce keep-alive; stopping at the last event avoids that error.
    """

    def __init__(self, origin: Origin, backend: Backend, verify: ssl.SSLContext, released: Released) -> None:
        """`released` is called at the end of each response, with whether another request may follow."""
        self.origin = origin
        self._backend = backend
        self._verify = verify
        self._released = released
        self._active = False
        self._stream: Stream | None = None

    async def handle_async_request(self, request: Request) -> httpcore2.Response:
        """Send a request and read the headers of the response; closes the connection if that fails.

        Raises:
            httpcore2.NetworkError, httpcore2.TimeoutException, httpcore2.ProtocolError: As named.
        """
        self._active = True
        try:
            stream = self._stream = self._stream or await self._connect(request)
            with suppress(httpcore2.WriteError):
                # A server that closes before the request is sent has often responded.
                await _send(stream, request)
            reading = _Reading(stream)
            await reading.head()
        except BaseException:
            await self.release(reusable=False)
            raise
        body = Body(self, reading)
        return httpcore2.Response(reading.status, headers=reading.headers, content=body, extensions={BODY: body})

    async def _connect(self, request: Request) -> Stream:
        wait = _timeouts(request).get("connect")
        host = self.origin.host.decode("ascii")
        stream = await self._backend.connect_tcp(host, self.origin.port, timeout=wait)
        if self.origin.scheme != b"https":
            return stream
        return await stream.start_tls(self._verify, server_hostname=host, timeout=wait)

    async def release(self, *, reusable: bool) -> None:
        """End the response, once; the next request may follow, or the connection is closed."""
        if self._active:
            self._active = False
            await self._released(self, reusable)

    async def aclose(self) -> None:
        """Close the connection."""
        if self._stream is not None:
            await self._stream.aclose()

    @property
    def spoilt(self) -> bool:
        """Whether the endpoint has closed the idle connection or sent unsolicited data."""
        return self._stream is None or bool(self._stream.get_extra_info("is_readable"))


class _Reading:
    """One response while it is read; the parser calls the methods whose names begin with `on_`."""

    def __init__(self, stream: Stream) -> None:
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.read = False
        """Whether the body was read to its end."""
        self.reusable = False
        self._parser = httptools.HttpResponseParser(self)
        self._stream = stream
        self._headed = False
        self._complete = False
        self._pieces: list[bytes] = []
        self._silent = 0

    async def head(self) -> None:
        """Read until all headers of the final response have arrived."""
        while not self._headed:
            await self._stream.wait()
            self._feed()

    def take(self) -> bytes | None:
        """Return the part of the body that has arrived since the last call; None at its end.

        Raises:
            httpcore2.NetworkError, httpcore2.ProtocolError: As named.
        """
        if not self._pieces and not self._complete:
            self._feed()
        if self._pieces:
            data = b"".join(self._pieces)
            self._pieces.clear()
            return data
        self.read = self._complete
        return None if self._complete else b""

    async def wait(self) -> None:
        """Return once `take` has something new, or the end."""
        if not self._pieces and not self._complete:
            await self._stream.wait()

    def _feed(self) -> None:
        """Parse what has arrived."""
        if data := self._stream.take(READ):
            self._parse(data)
        elif self._stream.ended:
            self._end()

    def _parse(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self.reusable = False
        except httptools.HttpParserError as error:
            self.reusable = False
            # Data after a complete response is not part of it.
            if not self._complete:
                raise httpcore2.RemoteProtocolError(str(error)) from error
        self._silent = 0 if self._pieces else self._silent + len(data)
        if self._silent > SILENT_LIMIT:
            raise httpcore2.RemoteProtocolError("too many bytes without a body")

    def _end(self) -> None:
        """The endpoint closed the connection: the end of a response without a length, an error for any other."""
        told = {name.lower() for name, _ in self.headers} & {b"content-length", b"transfer-encoding"}
        if not self._headed or told:
            raise httpcore2.RemoteProtocolError("the endpoint closed the connection before the end of the response")
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


class Body:
    """The body of a response, to be iterated or polled; closing it releases the connection."""

    def __init__(self, connection: Connection, reading: _Reading) -> None:
        self._connection = connection
        self._reading = reading

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        while (data := self.take()) is not None:
            if data:
                yield data
            await self.wait()

    def take(self) -> bytes | None:
        """Return what has arrived since the last call; None at the end. Raises as `_Reading.take`."""
        return self._reading.take()

    async def wait(self) -> None:
        """Return once `take` has something new, or the end."""
        await self._reading.wait()

    async def aclose(self) -> None:
        await self._connection.release(reusable=self._reading.read and self._reading.reusable)


async def _send(stream: Stream, request: Request) -> None:
    wait = _timeouts(request).get("write")
    lines = [request.method + b" " + request.url.target + b" HTTP/1.1"]
    lines += [name + b": " + value for name, value in request.headers]
    if any(not _UNFIT.isdisjoint(line) for line in lines):
        raise httpcore2.LocalProtocolError("a line break in the headers of a request")
    await stream.write(b"\r\n".join([*lines, b"", b""]), timeout=wait)
    async for piece in cast("AsyncIterable[bytes]", request.stream):
        await stream.write(piece, timeout=wait)


def _timeouts(request: Request) -> dict[str, float | None]:
    extensions = cast("dict[str, Any]", request.extensions)  # pyright: ignore[reportUnknownMemberType] - theirs
    return extensions.get("timeout", {})
