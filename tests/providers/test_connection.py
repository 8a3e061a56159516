"""Connections: which are reused, and which responses are invalid."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import httpx2
import pytest

from arena_providers.transport.connection import SILENT_LIMIT
from arena_providers.transport.egress import PUBLIC_ONLY
from arena_providers.transport.guarded_transport import PRIVATE, GuardedTransport

OK_RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


class Endpoint:
    """Answers every request with the same bytes."""

    def __init__(self, answer: bytes, *, close: bool = False) -> None:
        self.answer, self.close = answer, close
        self.connections = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(self.answer)
                if self.close:
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def asking(
    endpoint: Endpoint, *, idle: int = 10, idle_seconds: float = 60
) -> AsyncIterator[Callable[..., Awaitable[httpx2.Response]]]:
    server = await asyncio.start_server(endpoint, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    transport = GuardedTransport(PUBLIC_ONLY, idle=idle, idle_seconds=idle_seconds)
    async with server, transport:

        async def ask(headers: Sequence[tuple[bytes, bytes]] = ()) -> httpx2.Response:
            request = httpx2.Request("GET", url, headers=list(headers), extensions={PRIVATE: True})
            answer = await transport.handle_async_request(request)
            try:
                await answer.aread()
            finally:
                await answer.aclose()
            return answer

        yield ask


async def test_a_connection_whose_answer_was_read_to_its_end_carries_the_next_request():
    endpoint = Endpoint(OK_RESPONSE)
    async with asking(endpoint) as ask:
        assert [(await ask()).content for _ in range(3)] == [b"hi"] * 3
    assert endpoint.connections == 1


@pytest.mark.parametrize(
    "answer",
    [
        OK_RESPONSE.replace(b"OK", b"OK\r\nConnection: close"),
        OK_RESPONSE + b"more",
        OK_RESPONSE + OK_RESPONSE,
        OK_RESPONSE.replace(b"1.1", b"1.0"),
    ],
    ids=["close", "words behind", "an answer behind", "HTTP/1.0"],
)
async def test_a_connection_that_would_not_do_is_not_kept(answer):
    endpoint = Endpoint(answer)
    async with asking(endpoint) as ask:
        assert [(await ask()).content for _ in range(2)] == [b"hi"] * 2
    assert endpoint.connections == 2


async def test_an_answer_without_length_ends_with_its_connection():
    async with asking(Endpoint(b"HTTP/1.1 200 OK\r\n\r\nhello", close=True)) as ask:
        assert (await ask()).content == b"hello"


async def test_an_answer_before_the_answer_is_passed_over():
    async with asking(Endpoint(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + OK_RESPONSE)) as ask:
        answer = await ask()
    assert (answer.status_code, answer.content, answer.headers.raw) == (200, b"hi", [(b"Content-Length", b"2")])


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi",
        CHUNKED + b"2\r\nhi\r\n",
    ],
    ids=["nothing", "half a head", "a short body", "no last chunk"],
)
async def test_an_answer_that_breaks_off_is_none(answer):
    async with asking(Endpoint(answer, close=True)) as ask:
        with pytest.raises(httpx2.RemoteProtocolError, match="closed the connection"):
            await ask()


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 2 * SILENT_LIMIT,
        b"HTTP/1.1 103 Early Hints\r\n\r\n" * (SILENT_LIMIT // 20),
        CHUNKED + b"1;" + b"x" * 2 * SILENT_LIMIT,
        CHUNKED + b"0\r\nX: " + b"x" * 2 * SILENT_LIMIT,
    ],
    ids=["header", "early answers", "size of a chunk", "trailer"],
)
async def test_bytes_that_are_no_body_have_a_limit(answer):
    async with asking(Endpoint(answer)) as ask:
        with pytest.raises(httpx2.RemoteProtocolError, match="too many bytes"):
            await ask()


@pytest.mark.parametrize(
    "answer",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi!",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
        CHUNKED + b"zz\r\nhi\r\n0\r\n\r\n",
    ],
    ids=["another protocol", "two lengths", "length and chunks", "no number"],
)
async def test_what_can_be_read_in_two_ways_is_no_answer(answer):
    async with asking(Endpoint(answer)) as ask:
        with pytest.raises(httpx2.RemoteProtocolError):
            await ask()


async def test_a_head_with_a_line_break_is_not_sent():
    endpoint = Endpoint(OK_RESPONSE)
    async with asking(endpoint) as ask:
        with pytest.raises(httpx2.LocalProtocolError):
            await ask([(b"X", b"a\r\nY: b")])


async def test_only_so_many_idle_connections_are_kept_and_the_oldest_go_first():
    endpoint = Endpoint(OK_RESPONSE)
    async with asking(endpoint, idle=2) as ask:
        await asyncio.gather(*(ask() for _ in range(5)))
        assert endpoint.connections == 5
        await asyncio.gather(*(ask() for _ in range(3)))
        assert endpoint.connections == 6


async def test_an_idle_connection_is_not_used_after_its_time():
    endpoint = Endpoint(OK_RESPONSE)
    async with asking(endpoint, idle_seconds=-1) as ask:
        assert [(await ask()).content for _ in range(2)] == [b"hi"] * 2
    assert endpoint.connections == 2
