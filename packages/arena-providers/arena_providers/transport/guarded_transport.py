"""The transport of all requests: the egress policy, and a pool of connections.

httpcore2's pool scans all connections for each request and each end of a response: with 600 running answers that took
most of the time to open a battle.
"""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING, Final

import httpx2

from arena_providers.errors import NOT_ALLOWED, AddressRefused
from arena_providers.transport.connection import HttpConnection, Origin
from arena_providers.transport.dialing import CheckedDialer, Resolver, dial, is_own
from arena_providers.transport.egress import DEFAULT_PORTS, allowed

if TYPE_CHECKING:
    import ssl

    from arena_providers.transport.dialing import Dial, Lookup
    from arena_providers.transport.egress import Address, Policy

PRIVATE: Final = "arena.private"
"""Name of the request extension for a URL that the operator allows to lead anywhere."""


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Gives each request an idle or a new connection, and keeps some idle ones for a while.

    The pool has no limit: slots for running answers limit connections, and a wait would look like a slow endpoint. An
    ordinary request never uses a connection that an exception of the operator allowed.

    Args:
        policy: The operator's egress policy.
        lookup: Resolves a name; by default with the system's resolver.
        connect: Connects a socket; replaceable in tests.
        verify: TLS context; by default with the system's certificates.
        idle: Most idle connections.
        idle_seconds: Lifetime of an idle connection. Common servers close after five seconds, and a request at that
            moment would fail.
    """

    def __init__(
        self,
        policy: Policy,
        *,
        lookup: Lookup | None = None,
        connect: Dial = dial,
        verify: ssl.SSLContext | None = None,
        idle: int = 100,
        idle_seconds: float = 3,
    ) -> None:
        self._policy = policy
        self._resolver = Resolver()
        self._verify = verify or _system_trust()
        self._verify.set_alpn_protocols(["http/1.1"])
        lookup = lookup or self._resolver
        self._dialers = {
            "guarded": CheckedDialer(_is_public, lookup, connect),
            "open": CheckedDialer(lambda _address: True, lookup, connect),
        }
        self._most_idle = idle
        self._idle_seconds = idle_seconds
        self._busy: set[HttpConnection] = set()
        self._idle: dict[HttpConnection, float] = {}
        """Expiry on the monotonic clock by idle connection, oldest first."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and read the headers of the response; closing the response releases the connection.

        Raises:
            AddressRefused: The policy forbids it.
            httpx2.TransportError: The kind of failure.
        """
        connection = self._take(self._origin(request))
        self._busy.add(connection)
        try:
            await self._close_expired()
        except BaseException:
            connection.reusable = False
            await self._release(connection)
            raise
        return await connection.send(request)

    async def aclose(self) -> None:
        """Close all connections."""
        connections = [*self._busy, *self._idle]
        self._busy.clear()
        self._idle.clear()
        for connection in connections:
            await connection.aclose()
        self._resolver.close()

    def _origin(self, request: httpx2.Request) -> Origin:
        url, host = request.url, request.url.raw_host.decode("ascii")
        route = self._policy.route(url.scheme, host, url.port, private=bool(request.extensions.get(PRIVATE)))
        if route is None:
            reason = "only https on port 443 is public; the operator has not opened this address"
            raise AddressRefused(reason, fault=NOT_ALLOWED)
        if url.scheme not in DEFAULT_PORTS:
            raise httpx2.UnsupportedProtocol("the protocol is neither http nor https")
        return Origin(route, url.scheme, host, url.port or DEFAULT_PORTS[url.scheme])

    def _take(self, origin: Origin) -> HttpConnection:
        """The most recently used idle connection to the origin, or a new one."""
        now = time.monotonic()
        for connection, until in reversed(list(self._idle.items())):
            if connection.origin == origin and now <= until and not connection.spoilt:
                del self._idle[connection]
                return connection
        return HttpConnection(origin, self._dialers[origin.route], self._verify, self._release)

    async def _release(self, connection: HttpConnection) -> None:
        is_closed = connection not in self._busy
        self._busy.discard(connection)
        if is_closed or not connection.reusable:
            await connection.aclose()
            return
        self._idle[connection] = time.monotonic() + self._idle_seconds
        while len(self._idle) > self._most_idle:
            await self._close_oldest()

    async def _close_expired(self) -> None:
        now = time.monotonic()
        while self._idle and now > next(iter(self._idle.values())):
            await self._close_oldest()

    async def _close_oldest(self) -> None:
        oldest = next(iter(self._idle))
        del self._idle[oldest]
        await oldest.aclose()


def _is_public(address: Address) -> bool:
    return allowed(address) and not is_own(address)


@cache
def _system_trust() -> ssl.SSLContext:
    """The context with the system's certificates: reading them takes tens of milliseconds of processor time."""
    return httpx2.create_ssl_context(trust_env=False)
