"""Connections that are read when somebody asks, not when something arrives.

An answer is looked at once per frame, and waking up for each token would cost as much as all that is done with it.
Until then its bytes wait in the kernel, whose small buffer holds a fast endpoint back.
"""

from __future__ import annotations

import asyncio
import ssl
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import httpcore2

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncGenerator

_MOST: Final = 16 * 1024
"""Most bytes of one read. Parsing needs several times that memory, and hundreds of hostile endpoints may send as fast
as they can."""
_CLOSED: Final = "the endpoint closed the connection"


class Stream(httpcore2.AsyncNetworkStream):
    """One plain connection on a non-blocking socket, which it owns."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._loop = asyncio.get_running_loop()
        self._ahead = b""
        self._over = False
        self._waiter: asyncio.Future[None] | None = None

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - the base class asks
        async with limit(timeout, httpcore2.ReadTimeout, httpcore2.ReadError):
            while not (data := self.take(max_bytes)) and not self.ended:
                await self.wait()
        return data

    def take(self, max_bytes: int) -> bytes:
        """Return what has arrived, without a wait; raises `httpcore2.ReadError` if the connection is broken."""
        if not self._ahead and not self._over:
            try:
                self._ahead = self._received()
            except OSError as error:
                raise httpcore2.ReadError(str(error)) from error
        data, self._ahead = self._ahead[:max_bytes], self._ahead[max_bytes:]
        return data

    @property
    def ended(self) -> bool:
        """Whether nothing is left and nothing more will arrive."""
        return self._over and not self._ahead

    async def wait(self) -> None:
        """Return once `take` may have something to give, or `ended` may be true."""
        if self._ahead or self._over:
            return
        self._waiter = self._loop.create_future()
        self._loop.add_reader(self._sock, _wake, self._waiter)
        try:
            await self._waiter
        finally:
            self._stop_waiting()

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - as above
        if not buffer:
            return
        async with limit(timeout, httpcore2.WriteTimeout, httpcore2.WriteError):
            if self._over:
                raise ConnectionResetError(_CLOSED)
            await self._send(buffer)

    async def aclose(self) -> None:
        """Close at once; an orderly TLS shutdown would let the endpoint keep the socket for half a minute."""
        self._over = True
        self._stop_waiting()
        self._sock.close()
        await asyncio.sleep(0)

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - as above
    ) -> Stream:
        """Upgrade to TLS; the certificate must be for `server_hostname`, the name in the URL.

        Raises:
            httpcore2.ConnectError: It is not, or the handshake failed.
            httpcore2.ConnectTimeout: It took too long.
        """
        try:
            async with limit(timeout, httpcore2.ConnectTimeout, httpcore2.ConnectError):
                self._check_unspoken()
                secured = TlsStream(self._sock, ssl_context, server_hostname)
                await secured.shake_hands()
        except BaseException:
            await self.aclose()
            raise
        return secured

    def _check_unspoken(self) -> None:
        """Raise if data arrived before TLS: it would pass for the response although it is unauthenticated."""
        if self._is_readable():
            raise ConnectionResetError("the endpoint sends data before TLS")

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - the base class asks for it
        if info == "is_readable":
            return self._is_readable()
        asked = {"client_addr": self._sock.getsockname, "server_addr": self._sock.getpeername, "socket": self._itself}
        return asked[info]() if info in asked else None

    def _itself(self) -> socket.socket:
        return self._sock

    def _is_readable(self) -> bool:
        """Whether something has arrived, if only the end."""
        with suppress(OSError):
            self._ahead = self._ahead or (b"" if self._over else self._received())
            return bool(self._ahead) or self._over
        return True

    def _received(self) -> bytes:
        """Take what the kernel has, up to a limit, and note the end."""
        try:
            data = self._sock.recv(_MOST)
        except (BlockingIOError, InterruptedError):
            return b""
        self._over = not data
        return data

    async def _send(self, data: bytes) -> None:
        await self._loop.sock_sendall(self._sock, data)

    def _stop_waiting(self) -> None:
        if self._waiter is not None:
            self._loop.remove_reader(self._sock)
            _wake(self._waiter)
            self._waiter = None


class TlsStream(Stream):
    """The same with TLS, whose records pass through memory."""

    def __init__(self, sock: socket.socket, context: ssl.SSLContext, name: str | None) -> None:
        super().__init__(sock)
        self._arrived, self._leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._session = context.wrap_bio(self._arrived, self._leaving, server_hostname=name)

    async def shake_hands(self) -> None:
        """Verify the endpoint; raises `OSError`, of which TLS errors are a kind."""
        while not self._over:
            try:
                self._session.do_handshake()
            except ssl.SSLWantReadError:
                await self._flush()
                await self.wait()
                self._arrived.write(super()._received())
            except ssl.SSLError:
                # The endpoint is told why.
                await self._flush()
                raise
            else:
                await self._flush()
                return
        raise ConnectionResetError(_CLOSED)

    def _received(self) -> bytes:
        self._arrived.write(super()._received())
        pieces: list[bytes] = []
        try:
            while piece := self._session.read(_MOST):
                pieces.append(piece)
            self._over = True
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLZeroReturnError:
            self._over = True
        if self._leaving.pending:
            # A few bytes that the protocol owes, such as a new key.
            self._sock.send(self._leaving.read())
        return b"".join(pieces)

    async def _send(self, data: bytes) -> None:
        self._session.write(data)
        await self._flush()

    async def _flush(self) -> None:
        if data := self._leaving.read():
            await self._loop.sock_sendall(self._sock, data)


async def writable(sock: socket.socket) -> None:
    """Return once a socket can be written to, or its connection has failed."""
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
async def limit(seconds: float | None, late: type[Exception], broken: type[Exception]) -> AsyncGenerator[None]:
    """Let work take so many seconds, and name what is too late and what is broken."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise late(str(error)) from error
    except OSError as error:
        raise broken(str(error)) from error
