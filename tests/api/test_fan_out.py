"""Open streams that all say the same: what each reader hears, and what becomes of slow ones and of the end."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import cast

import httpx2
import pytest

from arena.api.direct_body import DIRECT
from arena.api.fan_out import FannedOut, FanOut
from tests.api.conftest import serving

PATIENCE = 60


class Heard:
    """A body that can be full; `pieces` is what it has taken."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.full = False
        self.took = asyncio.Event()

    def write(self, piece: bytes) -> bool:
        if not self.full:
            self.pieces.append(piece)
            self.took.set()
        return not self.full


@asynccontextmanager
async def following(fan_out: FanOut, *bodies: Heard):
    """Bodies whose readers stay until the end of the block; yields the tasks."""
    leaves = asyncio.Event()

    async def receive():
        await leaves.wait()
        return {"type": "http.disconnect"}

    tasks = [asyncio.create_task(fan_out.follow(body, receive)) for body in bodies]
    await asyncio.sleep(0)
    yield tasks
    leaves.set()
    await asyncio.wait_for(asyncio.gather(*tasks), PATIENCE)


async def test_all_hear_every_event_and_a_newcomer_the_newest_first():
    fan_out, bodies = FanOut(), [Heard() for _ in range(250)]
    async with following(fan_out, *bodies[:200]):
        await fan_out.announce(b"one")
        async with following(fan_out, *bodies[200:]):
            await fan_out.announce(b"two")
    assert all(body.pieces == [b"one", b"two"] for body in bodies)


async def test_before_the_first_event_nothing_is_said():
    body = Heard()
    async with following(FanOut(), body):
        pass
    assert body.pieces == []


async def test_a_slow_reader_holds_nobody_up_and_gets_the_newest_once_there_is_room():
    fan_out, slow, other = FanOut(), Heard(), Heard()
    slow.full = True
    async with following(fan_out, slow, other):
        for event in (b"one", b"two"):
            await fan_out.announce(event)
        slow.full = False
        # Whatever is said next, a heartbeat too, is the newest event for those who have missed it.
        beating = asyncio.create_task(FanOut.beat(fan_out))
        vars(fan_out)["_heartbeat"] = 0
        await asyncio.wait_for(slow.took.wait(), PATIENCE)
        beating.cancel()
    assert slow.pieces[0] == b"two"
    assert other.pieces[:2] == [b"one", b"two"]


async def test_silence_is_broken_by_one_timer_for_all():
    fan_out, bodies = FanOut(heartbeat=0.01), [Heard() for _ in range(3)]
    async with following(fan_out, *bodies):
        beating = asyncio.create_task(fan_out.beat())
        await asyncio.wait_for(asyncio.gather(*(body.took.wait() for body in bodies)), PATIENCE)
        beating.cancel()
    assert {piece for body in bodies for piece in body.pieces} == {b": still here\n\n"}


async def test_who_leaves_is_forgotten_while_an_event_is_written():
    fan_out, bodies = FanOut(), [Heard() for _ in range(150)]
    async with following(fan_out):
        async with following(fan_out, *bodies):
            writing = asyncio.create_task(fan_out.announce(b"one"))
            await asyncio.sleep(0)
        await writing
        await fan_out.announce(b"two")
    assert {len(body.pieces) for body in bodies} == {1}


async def test_its_end_ends_all_streams_and_those_that_are_still_asked_for():
    fan_out = FanOut()
    async with following(fan_out, Heard(), Heard()) as tasks:
        fan_out.close()
        assert await asyncio.gather(*tasks) == [False, False]
    async with following(fan_out, late := Heard()) as tasks:
        assert await tasks[0] is False
    assert late.pieces == []


async def test_on_another_server_events_are_sent_as_its_messages():
    fan_out, sent, leaves = FanOut(), [], asyncio.Event()

    async def send(message):
        sent.append(message)

    async def receive():
        await leaves.wait()
        return {"type": "http.disconnect"}

    answering = asyncio.create_task(FannedOut(fan_out)({"type": "http"}, receive, send))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await fan_out.announce(b"one")
    await asyncio.sleep(0)
    leaves.set()
    await asyncio.wait_for(answering, PATIENCE)
    assert [message.get("body") for message in sent] == [None, b"one"]


@pytest.fixture
async def server(app):
    async with serving(app) as server:
        yield server


@pytest.mark.sqlite
async def test_readers_of_the_arena_s_own_server_hear_the_board_to_its_end(server, app):
    address = f"http://127.0.0.1:{server.port}/api/v1/leaderboard/stream"
    async with httpx2.AsyncClient(timeout=PATIENCE) as client, client.stream("GET", address) as stream:
        assert (stream.status_code, stream.headers["transfer-encoding"]) == (200, "chunked")
        assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert "content-length" not in stream.headers
        pieces = stream.aiter_raw()
        for event in (b"id: 1\n\n", b"id: 2\n\n"):
            await app.state.board.readers.announce(event)
            assert await anext(pieces) == event
        app.state.board.readers.close()
        assert [piece async for piece in pieces] == []


@pytest.mark.sqlite
async def test_the_head_of_a_stream_leaves_its_connection_in_order(server, app):
    await app.state.board.readers.announce(b"id: 1\n\n")
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    for method in (b"HEAD", b"HEAD", b"GET"):
        writer.write(method + b" /api/v1/leaderboard/stream HTTP/1.1\r\nHost: arena.test\r\n\r\n")
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert await asyncio.wait_for(reader.readexactly(12), PATIENCE) == b"7\r\nid: 1\n\n\r\n"
    writer.close()


@pytest.mark.sqlite
async def test_a_reader_who_takes_nothing_costs_no_more_than_the_server_s_buffer(server, app):
    sizes = []
    _, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET /api/v1/leaderboard/stream HTTP/1.1\r\nHost: arena.test\r\n\r\n")
    async with asyncio.timeout(PATIENCE):
        while not (connection := next(iter(server.server_state.connections), None)) or not connection.cycle:
            await asyncio.sleep(0.01)
        while not connection.cycle.response_started:
            await asyncio.sleep(0.01)
    cast("asyncio.Transport", writer.transport).pause_reading()
    for _ in range(400):
        await app.state.board.readers.announce(b"x" * 50_000)
        sizes.append(connection.transport.get_write_buffer_size())
    assert connection.scope["extensions"][DIRECT].write(b"more") is False
    assert max(sizes) < 250_000
    writer.close()
