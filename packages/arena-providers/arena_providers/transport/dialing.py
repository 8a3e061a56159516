"""Dialing of endpoints: one lookup per connection, every address checked, and only checked addresses dialed.

Names are resolved once per connection, which prevents DNS rebinding. TLS still verifies the name in the URL.
"""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Final, cast

import httpx2

from arena_providers.errors import AddressRefused
from arena_providers.transport.sockets import PlainSocket, time_limit, writable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from arena_providers.transport.egress import Address

    SocketAddress = tuple[str, int] | tuple[str, int, int, int]
    Lookup = Callable[[str, int], Awaitable[Sequence[SocketAddress]]]
    Dial = Callable[[socket.socket, SocketAddress], Awaitable[None]]

_RECEIVE_BUFFER: Final = 32 * 1024
"""Size of the kernel's receive buffer, which holds an answer until it is read; tokens need a hundredth of it."""
_CONNECTING: Final = frozenset({errno.EINPROGRESS, errno.EWOULDBLOCK, errno.EINTR})
_LOOKUPS: Final = 16
"""Concurrent lookups; a hung name server blocks only threads of this pool."""
_FAMILIES: Final = {4: socket.AF_INET, 6: socket.AF_INET6}
"""Socket families by version of the address."""


class Resolver:
    """Resolves names with the operating system, in its own threads."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_LOOKUPS, thread_name_prefix="lookup")

    async def __call__(self, host: str, port: int) -> Sequence[SocketAddress]:
        """All addresses of `host`, in the system's order; numeric addresses need no name server.

        Raises:
            OSError: There is none.
            UnicodeError: Not a valid name.
        """
        with suppress(socket.gaierror):
            return _addresses(host, port, socket.AI_NUMERICHOST)
        return await asyncio.get_running_loop().run_in_executor(self._threads, _addresses, host, port, 0)

    def close(self) -> None:
        """Shut the threads down without waiting for lookups that hang."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _addresses(host: str, port: int, flags: int) -> list[SocketAddress]:
    rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return [cast("SocketAddress", row[4]) for row in rows]


async def dial(sock: socket.socket, address: SocketAddress) -> None:
    """Connect a non-blocking socket to a numeric address, without uvloop's second resolution in a thread.

    Raises:
        OSError: It cannot be reached.
    """
    if (state := sock.connect_ex(address)) in _CONNECTING:
        await writable(sock)
        state = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if state:
        raise OSError(state, os.strerror(state))


def is_own(address: Address) -> bool:
    """Whether the address is this machine's, for which the kernel chooses it as source address; sends nothing."""
    with suppress(OSError), socket.socket(_FAMILIES[address.version], socket.SOCK_DGRAM) as probe:
        probe.connect((str(address), 9))
        return ipaddress.ip_address(probe.getsockname()[0]) == address
    return False


class CheckedDialer:
    """Opens connections to checked addresses.

    Args:
        allows: Whether an address may be dialed; one forbidden address rejects the whole name.
        lookup: Resolves host and port to numeric socket addresses.
        connect: Connects a socket; replaceable in tests.
    """

    def __init__(self, allows: Callable[[Address], bool], lookup: Lookup, connect: Dial = dial) -> None:
        self._allows = allows
        self._lookup = lookup
        self._connect = connect

    async def open(self, host: str, port: int, seconds: float | None = None) -> PlainSocket:
        """Resolve once, check every address, and dial them in order, each with its share of the remaining time.

        Raises:
            AddressRefused: An address is not allowed; nothing was dialed.
            httpx2.ConnectError: No address could be reached, or the name does not exist.
            httpx2.ConnectTimeout: It took too long.
        """
        async with time_limit(seconds, httpx2.ConnectTimeout, httpx2.ConnectError):
            addresses = await self._check(host, port)
            clock = asyncio.get_running_loop().time
            end = None if seconds is None else clock() + seconds
            for remaining, address in zip(range(len(addresses), 0, -1), addresses, strict=True):
                try:
                    async with asyncio.timeout(None if end is None else (end - clock()) / remaining):
                        return await self._dial(address)
                except OSError:
                    if remaining == 1:
                        raise
        raise httpx2.ConnectError("the name has no address")

    async def _check(self, host: str, port: int) -> list[SocketAddress]:
        """Socket addresses rebuilt from the checked ones, so that nothing else can be dialed."""
        try:
            rows = await self._lookup(host, port)
        except UnicodeError as error:
            raise OSError("not a name") from error
        addresses: list[SocketAddress] = []
        for text, _port, *scope in dict.fromkeys(rows):
            address = ipaddress.ip_address(text)
            if not self._allows(address):
                raise AddressRefused("the name resolves to an address that is not public")
            version_4 = isinstance(address, ipaddress.IPv4Address)
            addresses.append(
                (str(address), port) if version_4 else (str(address), port, 0, int(scope[-1] if scope else 0))
            )
        return addresses

    async def _dial(self, address: SocketAddress) -> PlainSocket:
        sock = socket.socket(_FAMILIES[ipaddress.ip_address(address[0]).version], socket.SOCK_STREAM)
        try:
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)
            await self._connect(sock, address)
        except BaseException:
            sock.close()
            raise
        return PlainSocket(sock)
