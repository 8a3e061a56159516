"""Sockets read on demand: bytes wait in the kernel until `take`, and its small buffer slows a fast endpoint down.

An answer is read once per frame; a callback for each token would double the time per token.
"""

from __future__ import annotations

import asyncio
import ssl
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import httpx2

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncGenerator

_READ_SIZE: Final = 16 * 1024
"""Most bytes of one read: parsing takes several times that memory, and hundreds of endpoints may flood at once."""
_CLOSED: Final = "the endpoint closed the connection"


class PlainSocket:
    """A connection that owns a non-blocking socket."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._loop = asyncio.get_running_loop()
        self._buffer = b""
        self._is_over = False
        self._waiter: asyncio.Future[None] | None = None

    def take(self) -> bytes:
        """The bytes that have arrived, without waiting; raises `httpx2.ReadError` if the connection is broken."""
        if not self._buffer and not self._is_over:
            try:
                return self._receive()
            except OSError as error:
                raise httpx2.ReadError(str(error)) from error
        data, self._buffer = self._buffer, b""
        return data

    @property
    def ended(self) -> bool:
        """Whether the connection is closed and all bytes have been taken."""
        return self._is_over and not self._buffer

    @property
    def readable(self) -> bool:
        """Whether bytes or the end have arrived."""
        try:
            self._buffer = self._buffer or (b"" if self._is_over else self._receive())
        except OSError:
            return True
        return bool(self._buffer) or self._is_over

    async def wait(self) -> None:
        """Return once `take` may return bytes, or `ended` may be true."""
        if self._buffer or self._is_over:
            return
        self._waiter = self._loop.create_future()
        self._loop.add_reader(self._sock, _wake, self._waiter)
        try:
            await self._waiter
        finally:
            self._stop_waiting()

    async def write(self, data: bytes, seconds: float | None = None) -> None:
        """Send all of `data`; raises `httpx2.WriteTimeout` or `httpx2.WriteError`."""
        if not data:
            return
        async with time_limit(seconds, httpx2.WriteTimeout, httpx2.WriteError):
            if self._is_over:
                raise ConnectionResetError(_CLOSED)
            await self._send(data)

    async def aclose(self) -> None:
        """Close at once; an orderly TLS shutdown would let the endpoint hold the socket for half a minute."""
        self._is_over = True
        self._stop_waiting()
        self._sock.close()
        await asyncio.sleep(0)

    async def start_tls(self, context: ssl.SSLContext, name: str, seconds: float | None = None) -> TlsSocket:
        """Upgrade to TLS; the certificate must be for `name`, the host of the URL.

        Raises:
            httpx2.ConnectError: It is not, or the handshake failed.
            httpx2.ConnectTimeout: It took too long.
        """
        try:
            async with time_limit(seconds, httpx2.ConnectTimeout, httpx2.ConnectError):
                tls_socket = TlsSocket(self._sock, context, name)
                await tls_socket.shake_hands(unread=self.readable)
        except BaseException:
            await self.aclose()
            raise
        return tls_socket

    def _receive(self) -> bytes:
        """The bytes in the kernel's buffer, up to a limit; records the end."""
        try:
            data = self._sock.recv(_READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return b""
        self._is_over = not data
        return data

    async def _send(self, data: bytes) -> None:
        await self._loop.sock_sendall(self._sock, data)

    def _stop_waiting(self) -> None:
        if self._waiter is not None:
            self._loop.remove_reader(self._sock)
            _wake(self._waiter)
            self._waiter = None


class TlsSocket(PlainSocket):
    """A TLS connection over memory buffers."""

    def __init__(self, sock: socket.socket, context: ssl.SSLContext, name: str) -> None:
        super().__init__(sock)
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._session = context.wrap_bio(self._incoming, self._outgoing, server_hostname=name)

    async def shake_hands(self, *, unread: bool) -> None:
        """Verify the endpoint; raises `OSError`, which includes TLS errors.

        `unread` is whether data came before TLS, which would pass as an authenticated response.
        """
        if unread:
            raise ConnectionResetError("the endpoint sends data before TLS")
        while not self._is_over:
            try:
                self._session.do_handshake()
            except ssl.SSLWantReadError:
                await self._flush()
                await self.wait()
                self._incoming.write(super()._receive())
            except ssl.SSLError:
                # The alert tells the endpoint why.
                await self._flush()
                raise
            else:
                await self._flush()
                return
        raise ConnectionResetError(_CLOSED)

    def _receive(self) -> bytes:
        self._incoming.write(super()._receive())
        pieces: list[bytes] = []
        try:
            while piece := self._session.read(_READ_SIZE):
                pieces.append(piece)
            self._is_over = True
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLZeroReturnError:
            self._is_over = True
        if self._outgoing.pending:
            # Small messages of the protocol, such as a key update.
            self._sock.send(self._outgoing.read())
        return b"".join(pieces)

    async def _send(self, data: bytes) -> None:
        self._session.write(data)
        await self._flush()

    async def _flush(self) -> None:
        if data := self._outgoing.read():
            await self._loop.sock_sendall(self._sock, data)


async def writable(sock: socket.socket) -> None:
    """Return once a socket is writable, or its connection has failed."""
    loop = asyncio.get_running_loop()
    waiter = loop.create_future()
    loop.add_writer(sock, _wake, waiter)
    try:
        await waiter
    finally:
        loop.remove_writer(sock)


def _wake(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


@asynccontextmanager
async def time_limit(
    seconds: float | None, timeout_error: type[Exception], failure: type[Exception]
) -> AsyncGenerator[None]:
    """Raise `timeout_error` after `seconds`, and `failure` for an `OSError`."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise timeout_error(str(error)) from error
    except OSError as error:
        raise failure(str(error)) from error
