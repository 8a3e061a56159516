"""What leaves a connection together, in which order, and that nothing is held back."""

from __future__ import annotations

import asyncio
from typing import cast

from arena.api.joined_writes import JoinedWrites


class Sent(asyncio.Transport):
    """A transport that keeps what would leave at once as one piece."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.closed
        self.pieces.append(bytes(data))

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


def _pair() -> tuple[JoinedWrites, Sent]:
    return JoinedWrites(sent := Sent(), asyncio.get_running_loop()), sent


async def test_a_head_and_its_body_leave_as_one():
    joined, sent = _pair()
    joined.write(b"head")
    joined.write(b"body")
    assert sent.pieces == [b"headbody"]


async def test_a_head_alone_leaves_in_the_next_turn_of_the_loop():
    joined, sent = _pair()
    joined.write(b"head")
    assert sent.pieces == []
    await asyncio.sleep(0)
    assert sent.pieces == [b"head"]


async def test_however_much_is_written_no_more_than_one_piece_is_held():
    joined, sent = _pair()
    for number in range(9):
        joined.write(b"%d" % number)
    assert b"".join(sent.pieces) == b"01234567"
    await asyncio.sleep(0)
    assert b"".join(sent.pieces) == b"012345678"


async def test_what_cannot_wait_leaves_now_behind_what_is_held():
    joined, sent = _pair()
    joined.write(b"head")
    joined.write_now(b"event")
    assert sent.pieces == [b"head", b"event"]


async def test_what_is_held_leaves_before_the_connection_closes():
    joined, sent = _pair()
    joined.write(b"all")
    joined.close()
    assert (sent.pieces, sent.closed) == ([b"all"], True)


async def test_what_is_held_when_the_reader_has_left_is_dropped():
    joined, sent = _pair()
    joined.write(b"late")
    sent.close()
    await asyncio.sleep(0)
    assert sent.pieces == []


async def test_everything_else_is_the_transports_own():
    joined, sent = _pair()
    assert cast("asyncio.Transport", joined).is_closing() is sent.is_closing()
