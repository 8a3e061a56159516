"""Limits on what a connection may cost, each tested over a real socket, without anything left behind."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from contextlib import ExitStack, asynccontextmanager

import pytest

from arena.api.http import protocol
from tests.api.conftest import serving, until

PATIENCE = 120
START = b"POST /api/v1/battles HTTP/1.1\r\nHost: arena.test\r\nContent-Type: application/json\r\n"

pytestmark = pytest.mark.sqlite


@pytest.fixture
async def server(app, monkeypatch):
    """The arena's own server on a free port; requests have half a second to arrive."""
    monkeypatch.setattr(protocol, "PATIENCE", 0.5)
    monkeypatch.setattr(protocol, "LINGER", 0.1)
    async with serving(app) as server:
        yield server


@asynccontextmanager
async def connected(server):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def answer(reader: asyncio.StreamReader) -> tuple[int, dict]:
    """The status and problem of the next answer."""
    async with asyncio.timeout(PATIENCE):
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = next(line for line in head.splitlines() if line.startswith("content-length:"))
        return int(head.split()[1]), json.loads(await reader.readexactly(int(length.split(":")[1])))


async def asked(server, *parts: bytes) -> tuple[int, dict]:
    async with connected(server) as (reader, writer):
        for part in parts:
            writer.write(part)
        return await answer(reader)


async def nothing_left(server) -> None:
    await until(lambda: not server.server_state.connections and not server.server_state.tasks)


async def hung_up(reader: asyncio.StreamReader) -> bool:
    async with asyncio.timeout(PATIENCE):
        return await reader.read() == b""


def body(text: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(text), text)


async def test_a_head_that_drips_is_refused_and_let_go(server):
    async with connected(server) as (reader, writer):
        writer.write(START)
        status, problem = await answer(reader)
        assert (status, problem["code"]) == (408, "too_slow")
        assert await hung_up(reader)
    await nothing_left(server)


async def test_a_body_that_drips_is_refused_and_its_task_is_let_go(server):
    async with connected(server) as (reader, writer):
        writer.write(START + b'Content-Length: 9000\r\n\r\n{"prompt": "')
        await until(lambda: server.server_state.tasks)
        assert (await answer(reader))[0] == 408
        await until(lambda: not server.server_state.tasks)
        assert await hung_up(reader)
    await nothing_left(server)


@pytest.mark.parametrize("length", [b"0" * 5_000 + b"2", b"0" * 5_000 + b"999999"])
async def test_a_length_of_thousands_of_digits_is_no_error_of_the_arena_s_own(server, length):
    status, problem = await asked(server, START + b"Content-Length: %b\r\n\r\n{}" % length)
    assert (status, problem["code"]) == ((413, "too_large") if length.endswith(b"9") else (422, "invalid"))


async def test_who_connects_and_says_nothing_is_hung_up_on(server):
    async with connected(server) as (reader, _):
        assert await hung_up(reader)
    await nothing_left(server)


async def test_who_goes_on_sending_after_the_answer_is_hung_up_on(server):
    async with connected(server) as (reader, writer):
        writer.write(b"POST /api/v1/nothing HTTP/1.1\r\nHost: arena.test\r\nContent-Length: 9000\r\n\r\nx")
        assert (await answer(reader))[0] == 404
        assert await hung_up(reader)
    await nothing_left(server)


async def test_a_stream_outlasts_the_patience_for_requests(server, part):
    part("red-7b", *("word " for _ in range(30)), pause=0.05)
    part("blue-7b", "Hello", pause=0.01)
    async with connected(server) as (reader, writer):
        writer.write(START + body(b'{"prompt": "Hello"}'))
        head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)).decode()
        cookie = next(line.split()[1] for line in head.splitlines() if line.lower().startswith("set-cookie:"))
        length = next(line.split()[1] for line in head.splitlines() if line.lower().startswith("content-length:"))
        battle = json.loads(await reader.readexactly(int(length)))["id"]
        follow = f"GET /api/v1/battles/{battle}/stream HTTP/1.1\r\nHost: arena.test\r\nCookie: {cookie}\r\n\r\n"
        writer.write(follow.encode())
        await asyncio.wait_for(reader.readuntil(b"event: turn_ready"), PATIENCE)


async def test_an_http_1_0_request_gets_a_stream_without_chunks_that_ends_with_the_connection(server):
    for path in ("/healthz", "/api/v1/votes/export"):
        async with connected(server) as (reader, writer):
            writer.write(f"GET {path} HTTP/1.0\r\nHost: arena.test\r\n\r\n".encode())
            head, _, text = (await asyncio.wait_for(reader.read(), PATIENCE)).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), path
        assert b"transfer-encoding" not in head.lower()
        assert not text.endswith(b"0\r\n\r\n")


async def test_a_request_that_has_come_is_answered_even_if_the_server_itself_stood_still(server):
    async with connected(server) as (reader, writer):
        await until(lambda: server.server_state.connections)
        writer.write(START + body(b'{"prompt": "Hello"}'))
        time.sleep(1)  # noqa: ASYNC251 - the loop is to stand still
        assert (await answer(reader))[0] == 201


@pytest.mark.parametrize(
    "head",
    [
        b"X-Long: " + b"x" * 20_000,
        b"\r\n".join(b"X-%d: y" % number for number in range(200)),
        b"Cookie: " + b"x" * 5_000,
    ],
    ids=["long", "many", "cookies"],
)
async def test_a_swollen_head_is_refused(server, head):
    status, problem = await asked(server, START, head, b"\r\n\r\n")
    assert (status, problem["code"]) == (431, "headers_too_large")
    await nothing_left(server)


async def test_a_head_without_end_is_refused_before_it_ends(server):
    async with connected(server) as (reader, writer):
        writer.write(START)
        for number in range(40):
            writer.write(b"X-%d: " % number + b"y" * 1_000 + b"\r\n")
        status, problem = await answer(reader)
        assert (status, problem["code"]) == (431, "headers_too_large")
    await nothing_left(server)


@pytest.mark.parametrize("declared", [True, False])
async def test_a_body_too_large_is_refused_whether_its_size_is_told_or_not(server, declared):
    if declared:
        parts = [body(b"x" * 200_000)]
    else:
        chunk = b"%x\r\n" % 10_000 + b"x" * 10_000 + b"\r\n"
        parts = [b"Transfer-Encoding: chunked\r\n\r\n", *[chunk] * 10, b"0\r\n\r\n"]
    status, problem = await asked(server, START, *parts)
    assert (status, problem["code"]) == (413, "too_large")
    await nothing_left(server)


@pytest.mark.parametrize("text", [b"[" * 30_000, b'{"a":' * 10_000, b'{"prompt":' + b"[" * 20 + b"]" * 20 + b"}"])
async def test_json_that_is_nested_too_deep_is_refused(server, text):
    status, problem = await asked(server, START + body(text))
    assert (status, problem["code"]) == (422, "too_deep")


async def test_brackets_inside_a_prompt_are_no_depth(server):
    prompt = json.dumps({"prompt": "[" * 200 + '\\"{' * 200}).encode()
    status, _ = await asked(server, START + body(prompt))
    assert status == 201


async def test_a_request_for_a_websocket_is_answered_like_any_other(server, caplog):
    head = b"GET /api/v1/battles/none HTTP/1.1\r\nHost: arena.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    status, problem = await asked(server, head + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAA\r\n\r\n")
    assert (status, problem["code"]) == (404, "battle_not_found")
    # Another test's exporter of spans may still be trying in the background.
    assert not [record for record in caplog.records if not record.name.startswith("opentelemetry")]


async def test_two_hundred_slow_strangers_keep_nobody_else_waiting(server):
    with ExitStack() as strangers:
        for _ in range(200):
            stranger = strangers.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            stranger.send(START)
        status, _ = await asked(server, START + body(b'{"prompt": "Hello"}'))
        assert status == 201
        await nothing_left(server)


@pytest.mark.parametrize("second", [b"arena.test", b"evil.test"])
async def test_a_request_with_two_hosts_is_refused(server, second):
    head = b"GET /healthz HTTP/1.1\r\nHost: arena.test\r\nHost: " + second + b"\r\n\r\n"
    status, problem = await asked(server, head)
    assert (status, problem["code"]) == (400, "malformed")


async def test_what_is_no_http_is_refused_as_a_problem_too(server):
    status, problem = await asked(server, b"HELLO arena\r\n\r\n")
    assert (status, problem["code"]) == (400, "malformed")
