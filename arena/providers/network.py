"""Sockets under the HTTP client: one lookup per connection, every answer judged, and the judged address dialled.

Nothing is resolved twice, so a name server that changes its mind between two questions has nobody to fool. TLS still
verifies the name in the URL. Written on plain asyncio: a layer less between the loop and the parser.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, cast

import httpcore2

from arena.providers.errors import AddressRefused

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence

    from httpcore2 import SOCKET_OPTION

    from arena.providers.egress import Address

    SocketAddress = tuple[str, int] | tuple[str, int, int, int]
    Lookup = Callable[[str, int], Awaitable[Sequence[SocketAddress]]]
    Dial = Callable[[socket.socket, SocketAddress], Awaitable[None]]

_HELD: Final = 16 * 1024
"""Bytes that wait for the reader before the endpoint is made to wait, and most bytes of one read. What a read becomes
on its way to text is several times its size, and hundreds of hostile endpoints send as fast as they can."""
_RECEIVE_BUFFER: Final = 32 * 1024
"""Bytes the kernel may hold for us; tokens need a hundredth of it. uvloop reads a full buffer up to 32 times before the
reader gets to say stop: without this limit, 200 endpoints that send as fast as they can cost 1.2 GiB."""
_LOOKUPS: Final = 16
"""Lookups at once; a hung name server holds threads of this pool and no other."""


class Resolver:
    """Asks the operating system for addresses, in threads of its own."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_LOOKUPS, thread_name_prefix="lookup")

    async def __call__(self, host: str, port: int) -> Sequence[SocketAddress]:
        """Every address of `host`, in the order of the system; a spelling of an address needs no name server.

        Raises:
            OSError: There is none.
            UnicodeError: This cannot be a name.
        """
        with suppress(socket.gaierror):
            return _addresses(host, port, socket.AI_NUMERICHOST)
        return await asyncio.get_running_loop().run_in_executor(self._threads, _addresses, host, port, 0)

    def close(self) -> None:
        """Let the threads go; a lookup that hangs is not waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _addresses(host: str, port: int, flags: int) -> list[SocketAddress]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return [cast("SocketAddress", each[4]) for each in found]


async def dial(sock: socket.socket, address: SocketAddress) -> None:
    """Connect a non-blocking socket to a numeric address."""
    await asyncio.get_running_loop().sock_connect(sock, address)


def is_own(address: Address) -> bool:
    """Whether this machine has the address: then the kernel would choose it as the sender too. Sends nothing."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6  # noqa: PLR2004 - the version
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((str(address), 9))
        return ipaddress.ip_address(probe.getsockname()[0]) == address
    return False


class Backend(httpcore2.AsyncNetworkBackend):
    """Opens connections to judged addresses.

    Args:
        judge: Whether an address may be dialled; one refused answer refuses the whole name.
        lookup: Host and port to numeric socket addresses.
        connect: Connects a socket; a parameter so that a test can see what is dialled.
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
        """Look up once, judge every answer, dial them in order; each gets its share of the time that is left.

        Raises:
            AddressRefused: An answer is not allowed; nothing was dialled.
            httpcore2.ConnectError: None could be reached, or there is no such name.
            httpcore2.ConnectTimeout: It took too long.
        """
        async with _limit(timeout, httpcore2.ConnectTimeout, httpcore2.ConnectError):
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
        """Addresses rebuilt from what was judged, so that nothing else can be dialled."""
        try:
            found = await self._lookup(host, port)
        except UnicodeError as error:
            raise OSError("not a name") from error
        judged: list[SocketAddress] = []
        for each in dict.fromkeys(found):
            address = ipaddress.ip_address(each[0])
            if not self._judge(address):
                raise AddressRefused("the name leads to an address that is not public")
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
            transport, wire = await asyncio.get_running_loop().create_connection(Wire, sock=sock)
        except BaseException:
            sock.close()
            raise
        return Stream(transport, wire)

    async def connect_unix_socket(
        self,
        path: str,  # noqa: ARG002 - whatever it is
        timeout: float | None = None,  # noqa: ARG002, ASYNC109 - as above
        socket_options: Iterable[SOCKET_OPTION] | None = None,  # noqa: ARG002 - as above
    ) -> Stream:
        raise AddressRefused("no URL leads to a socket file")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class Wire(asyncio.Protocol):
    """Bytes that have arrived, and who waits for them or for room to send."""

    def __init__(self) -> None:
        self.held = bytearray()
        self.ended = False
        self.lost: Exception | None = None
        self.transport: asyncio.Transport | None = None
        self._paused = False
        self._full = False
        self._reader: asyncio.Future[None] | None = None
        self._writer: asyncio.Future[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.held += data
        if len(self.held) >= _HELD and not self._paused and self.transport is not None:
            self._paused = True
            self.transport.pause_reading()
        _wake(self._reader)

    def eof_received(self) -> None:
        self.ended = True
        _wake(self._reader)

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended, self.lost = True, exc
        _wake(self._reader)
        _wake(self._writer)

    def pause_writing(self) -> None:
        self._full = True

    def resume_writing(self) -> None:
        self._full = False
        _wake(self._writer)

    def check_unspoken(self) -> None:
        """Raise if there is text from before TLS: it would pass for the answer although nobody vouched for it."""
        if self.held:
            raise ConnectionResetError("the endpoint speaks before TLS")

    async def take(self, most: int) -> bytes:
        """Up to `most` bytes, as soon as there are any; none at the end."""
        while not self.held:
            if self.ended:
                if self.lost is not None:
                    raise self.lost
                return b""
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        most = min(most, _HELD)
        data = bytes(self.held[:most])
        del self.held[:most]
        if self._paused and len(self.held) < _HELD and self.transport is not None:
            self._paused = False
            self.transport.resume_reading()
        return data

    async def drain(self) -> None:
        """Wait until there is room to send."""
        while self._full and not self.ended:
            self._writer = asyncio.get_running_loop().create_future()
            await self._writer


class Stream(httpcore2.AsyncNetworkStream):
    """One connection, plain or TLS."""

    def __init__(self, transport: asyncio.Transport, wire: Wire) -> None:
        self._transport = transport
        self._wire = wire

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - as above
        try:
            # Runs for every token: with no limit there is no reason to make one.
            if timeout is None:
                return await self._wire.take(max_bytes)
            async with asyncio.timeout(timeout):
                return await self._wire.take(max_bytes)
        except TimeoutError as error:
            raise httpcore2.ReadTimeout(str(error)) from error
        except OSError as error:
            raise httpcore2.ReadError(str(error)) from error

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - as above
        if not buffer:
            return
        async with _limit(timeout, httpcore2.WriteTimeout, httpcore2.WriteError):
            if self._wire.ended or self._transport.is_closing():
                raise self._wire.lost or ConnectionResetError("the endpoint hung up")
            self._transport.write(buffer)
            await self._wire.drain()

    async def aclose(self) -> None:
        """Hang up at once; a polite end of TLS would let the endpoint keep the socket for half a minute."""
        self._transport.abort()
        await asyncio.sleep(0)

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - as above
    ) -> Stream:
        """Speak TLS from here on; the certificate must be for `server_hostname`, the name in the URL.

        Raises:
            httpcore2.ConnectError: It is not, or the endpoint speaks no TLS.
            httpcore2.ConnectTimeout: It took too long.
        """
        loop = asyncio.get_running_loop()
        try:
            async with _limit(timeout, httpcore2.ConnectTimeout, httpcore2.ConnectError):
                self._wire.check_unspoken()
                secured = await loop.start_tls(
                    self._transport, self._wire, ssl_context, server_hostname=server_hostname
                )
        except BaseException:
            self._transport.abort()
            raise
        if secured is None:
            raise httpcore2.ConnectError("the endpoint hung up")
        self._wire.transport = secured
        return Stream(secured, self._wire)

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - the base class asks for it
        if info == "is_readable":
            return bool(self._wire.held) or self._wire.ended
        names = {"client_addr": "sockname", "server_addr": "peername"}
        return self._transport.get_extra_info(names.get(info, info))


def _wake(waiter: asyncio.Future[None] | None) -> None:
    if waiter is not None and not waiter.done():
        waiter.set_result(None)


@asynccontextmanager
async def _limit(seconds: float | None, late: type[Exception], broken: type[Exception]) -> AsyncGenerator[None, None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise late(str(error)) from error
    except OSError as error:
        raise broken(str(error)) from error
