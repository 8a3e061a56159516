import asyncio

import pytest

from arena.api import sse
from arena.wire import Delta, SideDone, TurnReady


def test_an_event_has_an_id_a_name_in_snake_case_and_one_line_of_data():
    assert sse.event(SideDone(side="a"), "1.0-5d-3") == b'id: 1.0-5d-3\nevent: side_done\ndata: {"side":"a"}\n\n'
    assert sse.event(TurnReady(number=2)).startswith(b"event: turn_ready\n")


def test_line_ends_inside_a_text_do_not_end_the_event():
    data = sse.event(Delta(side="b", text="one\ntwo\r\nthree\u2028four"), "x")
    assert data.count(b"\n") == 4
    assert b"\r" not in data


async def test_silence_is_broken_by_heartbeats_and_nothing_else_is():
    speak = asyncio.Event()

    async def silent():
        await speak.wait()
        yield b"late"

    parts = []
    async for part in sse.stream(silent(), heartbeat=0.01).body_iterator:
        parts.append(part)
        if len(parts) == 3:
            speak.set()
    assert set(parts[:-1]) == {b": still here\n\n"}
    assert parts[-1] == b"late"


async def test_a_reader_who_leaves_closes_the_source():
    closed = asyncio.Event()

    async def source():
        try:
            yield b"one"
            await asyncio.sleep(60)
        finally:
            closed.set()

    body = sse.stream(source()).body_iterator
    assert await anext(body) == b"one"
    await body.aclose()
    await closed.wait()


async def test_what_comes_at_the_same_moment_leaves_as_one_piece():
    more = asyncio.Event()

    async def source():
        yield b"one "
        yield b"two"
        await more.wait()
        yield b"three"

    parts = []
    async for part in sse.stream(source()).body_iterator:
        parts.append(part)
        more.set()
    assert parts == [b"one two", b"three"]


async def test_a_reader_who_takes_nothing_lets_few_events_wait():
    made = []

    async def source():
        for number in range(10 * sse.HELD):
            made.append(number)
            yield b"x"
            await asyncio.sleep(0)

    body = sse.stream(source()).body_iterator
    taken = len(await anext(body))
    for _ in range(20 * sse.HELD):
        await asyncio.sleep(0)
    assert len(made) <= taken + sse.HELD
    taken += sum([len(part) async for part in body])
    assert taken == len(made) == 10 * sse.HELD


async def test_a_source_that_breaks_is_heard_to_that_point_and_the_error_told():
    async def source():
        yield b"one"
        raise ValueError("broken")

    body = sse.stream(source()).body_iterator
    assert await anext(body) == b"one"
    with pytest.raises(ValueError, match="broken"):
        await anext(body)
