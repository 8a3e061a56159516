"""The sockets on both event loops: TLS verifies the name, all addresses are tried, no data is lost."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress

import httpx2
import pytest
import uvloop

from arena_providers.base import Target
from arena_providers.dialects.openai_chat import OpenAIChat
from arena_providers.errors import AddressRefused, EndpointUnavailable, TimedOut
from arena_providers.transport.dialing import CheckedDialer, Resolver, dial, is_own
from arena_providers.transport.egress import PUBLIC_ONLY
from arena_providers.transport.guarded_transport import GuardedTransport
from arena_providers.transport.http_client import HttpClient
from tests.providers.canary import Dialler, Names
from tests.providers.conftest import hear
from tests.providers.dialects import OPENAI_CHAT

GOOD, SECOND, INSIDE = "93.184.215.14", "8.8.8.8", "127.0.0.1"
BOUND = 120
TARGET = Target("openai_chat", "https://model.test/v1", "m")


async def bounded(talk) -> None:
    async with asyncio.timeout(BOUND):
        await talk


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def on_loop(request):
    """Runs a coroutine on one kind of event loop, bounded: uvloop's servers wait for connections that a failed test
    leaves open."""
    with asyncio.Runner(loop_factory=request.param) as runner:
        yield lambda talk: runner.run(bounded(talk))


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """A self-signed certificate for model.test."""
    folder = tmp_path_factory.mktemp("certificate")
    names = ["-subj", "/CN=model.test", "-addext", "subjectAltName=DNS:model.test"]
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    try:
        subprocess.run(["openssl", "req", "-x509", *curve, *files, *names], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("needs the program openssl")
    return folder


def serving(certificate) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    return context


def trusting(certificate) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=certificate / "cert.pem")


class Served:
    """A TLS server that answers every request on a connection; records the server names requested."""

    def __init__(self) -> None:
        body = OPENAI_CHAT.answer("Hi")
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {len(body)}\r\n\r\n"
        self.answer = head.encode() + body
        self.names: list[str | None] = []
        self.met = 0

    def note(self, _socket, name, _context) -> None:
        self.names.append(name)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.met += 1
        with suppress(asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]))
                writer.write(self.answer)
                await writer.drain()
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def serve(served: Served, certificate) -> tuple[asyncio.Server, int]:
    context = serving(certificate)
    context.sni_callback = served.note
    server = await asyncio.start_server(served.talk, INSIDE, 0, ssl=context)
    return server, server.sockets[0].getsockname()[1]


async def settled(true) -> None:
    async with asyncio.timeout(60):
        while not true():
            await asyncio.sleep(0.01)


def test_tls_is_spoken_with_the_name_of_the_url_on_the_judged_address(on_loop, certificate):
    served = Served()

    async def talk() -> None:
        server, port = await serve(served, certificate)
        names, dialler = Names(lambda _: [GOOD]), Dialler(port)
        way_out = GuardedTransport(PUBLIC_ONLY, lookup=names, connect=dialler, verify=trusting(certificate))
        async with server, HttpClient(transport=way_out) as client:
            for _ in range(3):
                assert (await hear(OpenAIChat(client), TARGET)).text == "Hi"
        assert names.asked == served.names == ["model.test"] * served.met
        assert dialler.dialled == [GOOD] * served.met

    on_loop(talk())


@pytest.mark.parametrize(("host", "trusted"), [("other.test", True), ("model.test", False)])
def test_a_certificate_for_another_name_or_by_a_stranger_is_refused(on_loop, certificate, host, trusted):
    served = Served()

    async def talk() -> None:
        server, port = await serve(served, certificate)
        verify = trusting(certificate) if trusted else None
        way_out = GuardedTransport(PUBLIC_ONLY, lookup=Names(lambda _: [GOOD]), connect=Dialler(port), verify=verify)
        async with server, HttpClient(transport=way_out) as client:
            with pytest.raises(EndpointUnavailable, match=r"(?i)certificate"):
                await hear(OpenAIChat(client), Target("openai_chat", f"https://{host}/v1", "m"))

    on_loop(talk())


def test_a_connection_made_with_leave_is_not_lent_to_a_target_without(on_loop, certificate):
    served = Served()

    async def talk() -> None:
        server, port = await serve(served, certificate)
        names, dialler = Names(lambda _: [INSIDE]), Dialler(port)
        way_out = GuardedTransport(PUBLIC_ONLY, lookup=names, connect=dialler, verify=trusting(certificate))
        async with server, HttpClient(transport=way_out) as client:
            for _ in range(2):
                async with client.post(TARGET.url, {}, headers={}, private=True) as reply:
                    pieces = []
                    while (piece := reply.take()) is not None:
                        pieces.append(piece)
                        await reply.wait()
                    assert any(pieces)
            assert served.met == 1
            with pytest.raises(AddressRefused):
                async with client.post(TARGET.url, {}, headers={}):
                    pass
        assert (served.met, len(dialler.dialled)) == (1, 1)

    on_loop(talk())


def test_text_from_before_tls_is_never_part_of_an_answer(on_loop, certificate):
    async def talk() -> None:
        async def early(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            await reader.read()
            writer.close()

        server = await asyncio.start_server(early, INSIDE, 0)
        port = server.sockets[0].getsockname()[1]
        dialer = CheckedDialer(lambda _: True, Names(lambda _: [GOOD]), Dialler(port))
        async with server:
            stream = await dialer.open("model.test", 443, 5)
            await settled(lambda: stream.readable)
            with pytest.raises(httpx2.ConnectError, match="before TLS"):
                await stream.start_tls(trusting(certificate), "model.test", 5)
            await asyncio.sleep(0.05)

    on_loop(talk())


def test_a_server_that_speaks_no_tls_is_an_unavailable_endpoint_and_a_silent_one_times_out(on_loop, certificate):
    async def talk() -> None:
        async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if loud:
                await reader.read(10)
                writer.write(b"SSH-2.0-OpenSSH_9.6\r\n")
            await reader.read()
            writer.close()

        server = await asyncio.start_server(babble, INSIDE, 0)
        way_out = GuardedTransport(
            PUBLIC_ONLY, lookup=Names(lambda _: [GOOD]), connect=Dialler(server.sockets[0].getsockname()[1])
        )
        async with server, HttpClient(transport=way_out, connect=0.3) as client:
            for loud, error in ((True, EndpointUnavailable), (False, TimedOut)):  # noqa: B007 - babble reads it
                with pytest.raises(error):
                    await hear(OpenAIChat(client), TARGET)
            await asyncio.sleep(0.05)

    on_loop(talk())


def test_addresses_are_tried_in_order_and_a_silent_one_leaves_time_for_the_next(on_loop):
    async def talk() -> None:
        tried: list[str] = []

        async def connect(sock: socket.socket, address: tuple) -> None:
            tried.append(address[0])
            if address[0] == GOOD:
                await asyncio.sleep(60)
            if address[0] == SECOND:
                raise ConnectionRefusedError
            await asyncio.get_running_loop().sock_connect(sock, (INSIDE, port))

        async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.close()

        server = await asyncio.start_server(meet, INSIDE, 0)
        port = server.sockets[0].getsockname()[1]
        dialer = CheckedDialer(lambda _: True, Names(lambda _: [GOOD, SECOND, "1.1.1.1"]), connect)
        async with server:
            stream = await dialer.open("model.test", 443, 0.6)
            assert tried == [GOOD, SECOND, "1.1.1.1"]
            await stream.aclose()
            await asyncio.sleep(0.05)

    on_loop(talk())


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (socket.gaierror("no such name"), httpx2.ConnectError),
        (UnicodeError("label too long"), httpx2.ConnectError),
        (None, httpx2.ConnectTimeout),
    ],
)
async def test_a_name_that_cannot_be_looked_up_is_an_error_of_the_connection(failure, error):
    async def lookup(_host: str, _port: int) -> list[tuple]:
        if failure:
            raise failure
        await asyncio.sleep(60)
        return []

    with pytest.raises(error):
        await CheckedDialer(lambda _: True, lookup).open("a.example", 443, 0.05)


async def test_a_name_without_an_address_is_an_error_of_the_connection():
    with pytest.raises(httpx2.ConnectError, match="no address"):
        await CheckedDialer(lambda _: True, Names(lambda _: [])).open("a.example", 443, 1)


def test_a_numeric_address_is_dialled_without_a_thread_and_a_refusal_says_so(on_loop, monkeypatch):
    def threaded(*_):
        raise AssertionError("a thread")

    async def talk() -> None:
        monkeypatch.setattr(ThreadPoolExecutor, "submit", threaded)
        with socket.create_server((INSIDE, 0)) as server:
            for address, refused in ((server.getsockname(), False), ((INSIDE, _closed_port()), True)):
                with socket.socket() as sock:
                    sock.setblocking(False)
                    with pytest.raises(ConnectionRefusedError) if refused else nullcontext():
                        await dial(sock, address)
                        assert sock.getpeername() == address

    on_loop(talk())


def _closed_port() -> int:
    with socket.create_server((INSIDE, 0)) as server:
        return server.getsockname()[1]


async def test_spellings_of_addresses_need_no_name_server():
    resolver = Resolver()
    for spelling in ("127.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.1"):
        assert [address[0] for address in await resolver(spelling, 80)] == [INSIDE]
    assert (INSIDE, 80) in await resolver("localhost", 80)
    resolver.close()


def test_own_addresses_are_known_as_such():
    assert is_own(ipaddress.ip_address(INSIDE))
    assert not is_own(ipaddress.ip_address(GOOD))


def test_a_reader_that_waits_holds_the_endpoint_back_and_loses_nothing(on_loop):
    sent = 8 * 1024 * 1024

    async def talk() -> None:
        async def pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            for number in range(sent // 1024):
                writer.write(number.to_bytes(4, "big") * 256)
                await writer.drain()
            poured.set()
            writer.close()

        poured = asyncio.Event()
        server = await asyncio.start_server(pour, INSIDE, 0)
        dialer = CheckedDialer(lambda _: True, Names(lambda _: [GOOD]), Dialler(server.sockets[0].getsockname()[1]))
        async with server:
            stream = await dialer.open("a.example", 80, 5)
            await asyncio.sleep(0.3)
            assert not poured.is_set()
            got = bytearray()
            while not stream.ended:
                await stream.wait()
                piece = stream.take()
                assert len(piece) <= 65_536
                got += piece
            assert bytes(got) == b"".join(number.to_bytes(4, "big") * 256 for number in range(sent // 1024))
            with pytest.raises(httpx2.WriteError):
                await stream.write(b"too late")
            await stream.aclose()

    on_loop(talk())


def test_a_write_that_takes_too_long_times_out(on_loop):
    async def talk() -> None:
        async def sit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await over.wait()
            writer.transport.abort()

        over = asyncio.Event()
        server = await asyncio.start_server(sit, INSIDE, 0, limit=1024)
        dialer = CheckedDialer(lambda _: True, Names(lambda _: [GOOD]), Dialler(server.sockets[0].getsockname()[1]))
        async with server:
            stream = await dialer.open("a.example", 80, 5)
            with pytest.raises(httpx2.WriteTimeout):
                await stream.write(b"x" * 64 * 1024 * 1024, 0.2)
            await stream.aclose()
            over.set()
            await asyncio.sleep(0.05)

    on_loop(talk())
