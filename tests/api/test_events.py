import asyncio
from collections.abc import AsyncGenerator, Callable

import pytest
from starlette.types import Message

from arena.api.http.events import EventStreamResponse, event
from arena.domain.schemas.battles import DeltaEvent, SideDoneEvent, TurnReadyEvent
from arena.domain.terms import Side


async def read(
    source: AsyncGenerator[bytes],
    heard: Callable[[bytes], object],
    *,
    heartbeat: float = 60,
    leaves: asyncio.Event | None = None,
    takes: asyncio.Event | None = None,
) -> None:
    """Read a stream as a server does: each body goes to `heard`, none before `takes`; `leaves` is the disconnection."""

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            if takes:
                await takes.wait()
            heard(message["body"])

    async def receive() -> Message:
        await (leaves or asyncio.Event()).wait()
        return {"type": "http.disconnect"}

    await EventStreamResponse(source, heartbeat)({"type": "http"}, receive, send)


def test_an_event_has_an_id_a_name_in_snake_case_and_one_line_of_data():
    text = event(SideDoneEvent(side=Side.A), "1.0-5d-3")
    assert text == b'id: 1.0-5d-3\nevent: side_done\ndata: {"side":"a"}\n\n'
    assert event(TurnReadyEvent(number=2)).startswith(b"event: turn_ready\n")


def test_line_ends_inside_a_text_do_not_end_the_event():
    data = event(DeltaEvent(side=Side.B, text="one\ntwo\r\nthree\u2028four"), "x")
    assert data.count(b"\n") == 4
    assert b"\r" not in data


async def test_silence_is_broken_by_heartbeats_and_nothing_else_is():
    speak, parts = asyncio.Event(), []

    async def silent():
        await speak.wait()
        yield b"late"

    def heard(body: bytes) -> None:
        parts.append(body)
        if len(parts) == 2:
            speak.set()

    await read(silent(), heard, heartbeat=0.01)
    assert set(parts[:-2]) == {b": still here\n\n"}
    assert parts[-2:] == [b"late", b""]


async def test_a_source_that_speaks_often_enough_gets_no_heartbeats():
    parts = []

    async def speaking():
        for _ in range(50):
            yield b"word"
            await asyncio.sleep(0)

    await read(speaking(), parts.append, heartbeat=60)
    assert parts == [b"word"] * 50 + [b""]


async def test_a_reader_who_leaves_closes_the_source():
    closed, reading_began = asyncio.Event(), asyncio.Event()

    async def source():
        try:
            yield b"one"
            await asyncio.sleep(60)
        finally:
            closed.set()

    reading = asyncio.create_task(read(source(), lambda _: reading_began.set(), leaves=reading_began))
    await closed.wait()
    await reading


async def test_a_reader_who_takes_nothing_lets_no_events_wait():
    numbers, blocked = [], asyncio.Event()

    async def source():
        for number in range(10):
            numbers.append(number)
            yield b"x"

    reading = asyncio.create_task(read(source(), lambda _: None, takes=blocked))
    for _ in range(100):
        await asyncio.sleep(0)
    assert len(numbers) == 1
    blocked.set()
    await reading
    assert len(numbers) == 10


async def test_a_source_that_breaks_is_heard_to_that_point_and_the_error_told():
    parts = []

    async def source():
        yield b"one"
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await read(source(), parts.append)
    assert parts == [b"one"]
