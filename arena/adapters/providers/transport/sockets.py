"""Sockets of the HTTP client: one lookup per connection, every address checked, and only checked addresses dialled.

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

import httpcore2

from arena.adapters.providers.errors import AddressRefused
from arena.adapters.providers.transport.streams import Stream, limit, writable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from httpcore2 import SOCKET_OPTION

    from arena.adapters.providers.transport.egress import Address

    SocketAddress = tuple[str, int] | tuple[str, int, int, int]
    Lookup = Callable[[str, int], Awaitable[Sequence[SocketAddress]]]
    Dial = Callable[[socket.socket, SocketAddress], Awaitable[None]]

_RECEIVE_BUFFER: Final = 32 * 1024
"""Size of the kernel's receive buffer, in which a running answer waits to be read; tokens need a hundredth of it."""
_CONNECTING: Final = frozenset({errno.EINPROGRESS, errno.EWOULDBLOCK, errno.EINTR})
_LOOKUPS: Final = 16
"""Concurrent lookups; a hung name server blocks only threads of this pool."""


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
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return [cast("SocketAddress", each[4]) for each in found]


async def dial(sock: socket.socket, address: SocketAddress) -> None:
    """Connect a non-blocking socket to a numeric address; uvloop's own way resolves it again, in a thread.

    Raises:
        OSError: It cannot be reached.
    """
    if (state := sock.connect_ex(address)) in _CONNECTING:
        await writable(sock)
        state = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if state:
        raise OSError(state, os.strerror(state))


def is_own(address: Address) -> bool:
    """Whether the address is this machine's: the kernel would then choose it as the source address. Sends nothing."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6  # noqa: PLR2004 - the version
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((str(address), 9))
        return ipaddress.ip_address(probe.getsockname()[0]) == address
    return False


class Backend(httpcore2.AsyncNetworkBackend):
    """Opens connections to checked addresses.

    Args:
        judge: Whether an address may be dialled; one forbidden address rejects the whole name.
        lookup: Resolves host and port to numeric socket addresses.
        connect: Connects a socket; replaceable in tests.
    """

    def __init__(self, judge: Callable[[Address], bool], lookup: Lookup, connect: Dial = dial) -> None:
        self._judge = judge
        self._lookup = lookup
        self._connect = connect

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the base class asks for it
        local_address: str | None = None,  # noqa: ARG002 - the pool names none
        socket_options: Iterable[SOCKET_OPTION] | None = None,  # noqa: ARG002 - as above
    ) -> Stream:
        """Resolve once, check every address, and dial them in order, each with its share of the remaining time.

        Raises:
            AddressRefused: An address is not allowed; nothing was dialled.
            httpcore2.ConnectError: No address could be reached, or the name does not exist.
            httpcore2.ConnectTimeout: It took too long.
        """
        async with limit(timeout, httpcore2.ConnectTimeout, httpcore2.ConnectError):
            addresses = await self._judged(host, port)
            shares = range(len(addresses), 0, -1)
            clock = asyncio.get_running_loop().time
            end = None if timeout is None else clock() + timeout
            for address, share in zip(addresses, shares, strict=True):
                try:
                    async with asyncio.timeout(None if end is None else (end - clock()) / share):
                        return await self._open(address)
                except OSError:
                    if share == 1:
                        raise
        raise httpcore2.ConnectError("the name has no address")

    async def _judged(self, host: str, port: int) -> list[SocketAddress]:
        """Socket addresses rebuilt from the checked ones, so that nothing else can be dialled."""
        try:
            found = await self._lookup(host, port)
        except UnicodeError as error:
            raise OSError("not a name") from error
        judged: list[SocketAddress] = []
        for each in dict.fromkeys(found):
            address = ipaddress.ip_address(each[0])
            if not self._judge(address):
                raise AddressRefused("the name resolves to an address that is not public")
            scope = int(each[3]) if len(each) == 4 else 0  # noqa: PLR2004 - the form of IPv6
            judged.append((str(address), port) if address.version == 4 else (str(address), port, 0, scope))  # noqa: PLR2004 - the version
        return judged

    async def _open(self, address: SocketAddress) -> Stream:
        sock = socket.socket(socket.AF_INET if len(address) == 2 else socket.AF_INET6, socket.SOCK_STREAM)  # noqa: PLR2004 - the form
        try:
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)
            await self._connect(sock, address)
        except BaseException:
            sock.close()
            raise
        return Stream(sock)

    async def connect_unix_socket(
        self,
        path: str,  # noqa: ARG002 - whatever it is
        timeout: float | None = None,  # noqa: ARG002, ASYNC109 - as above
        socket_options: Iterable[SOCKET_OPTION] | None = None,  # noqa: ARG002 - as above
    ) -> Stream:
        raise AddressRefused("no URL leads to a socket file")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
