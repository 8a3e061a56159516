"""A pool of connections to endpoints.

httpcore2's own looks at every connection for each request and each end of a response: with 600 running answers that
took most of the time in which a battle is opened.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import httpcore2

from arena.adapters.providers.transport.connection import Connection

if TYPE_CHECKING:
    import ssl

    from httpcore2 import Origin, Request

    from arena.adapters.providers.transport.sockets import Backend


class Pool:
    """Gives each request a connection that is idle or new, and keeps some idle ones for a while.

    There is no ceiling: slots for running answers limit the connections, and waiting would count as a slow endpoint.
    """

    def __init__(self, *, verify: ssl.SSLContext, backend: Backend, idle: int, idle_seconds: float) -> None:
        """Keep up to `idle` idle connections, each for `idle_seconds`."""
        verify.set_alpn_protocols(["http/1.1"])
        self._verify = verify
        self._backend = backend
        self._most = idle
        self._idle_seconds = idle_seconds
        self._busy: set[Connection] = set()
        self._idle: dict[Connection, float] = {}
        """Each with the moment until which it is kept, the oldest first."""

    async def handle_async_request(self, request: Request) -> httpcore2.Response:
        """Send a request and read the headers of the response, whose closing gives the connection back.

        Raises:
            httpcore2.UnsupportedProtocol: Neither http nor https.
            httpcore2.NetworkError, httpcore2.TimeoutException, httpcore2.ProtocolError: As named.
        """
        if request.url.scheme not in {b"http", b"https"}:
            raise httpcore2.UnsupportedProtocol("Request URL is missing an 'http://' or 'https://' protocol.")
        connection = self._take(request.url.origin)
        self._busy.add(connection)
        try:
            await self._close_expired()
        except BaseException:
            await self._released(connection, reusable=False)
            raise
        return await connection.handle_async_request(request)

    async def aclose(self) -> None:
        """Close all connections."""
        closing = [*self._busy, *self._idle]
        self._busy.clear()
        self._idle.clear()
        for connection in closing:
            await connection.aclose()

    def _take(self, origin: Origin) -> Connection:
        """Take the idle connection that was used last, or make a new one."""
        now = time.monotonic()
        for connection, until in reversed(list(self._idle.items())):
            if connection.origin == origin and now <= until and not connection.spoilt:
                del self._idle[connection]
                return connection
        return Connection(origin, self._backend, self._verify, self._released)

    async def _released(self, connection: Connection, reusable: bool) -> None:  # noqa: FBT001 - called by a connection
        known = connection in self._busy
        self._busy.discard(connection)
        if not reusable or not known:
            await connection.aclose()
            return
        self._idle[connection] = time.monotonic() + self._idle_seconds
        while len(self._idle) > self._most:
            await self._close_oldest()

    async def _close_expired(self) -> None:
        now = time.monotonic()
        while self._idle and now > next(iter(self._idle.values())):
            await self._close_oldest()

    async def _close_oldest(self) -> None:
        oldest = next(iter(self._idle))
        del self._idle[oldest]
        await oldest.aclose()
