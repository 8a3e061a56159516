"""A test of vision: a question about the number in an image, which is drawn without a library."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Final

from arena_providers.terms import Image, Message, Role

if TYPE_CHECKING:
    from random import Random

DIGITS: Final = 3
"""Digits of the number: enough that a guess fails, few enough for every model with vision."""
_SCALE: Final = 12
"""Pixels of an image for each dot of the font."""
_FONT: Final = (
    "01110 00100 01110 11111 00010 11111 00110 11111 01110 01110",
    "10001 01100 10001 00010 00110 10000 01000 00001 10001 10001",
    "10011 00100 00001 00100 01010 11110 10000 00010 10001 10001",
    "10101 00100 00110 00010 10010 00001 11110 00100 01110 01111",
    "11001 00100 01000 00001 11111 00001 10001 01000 10001 00001",
    "10001 00100 10000 10001 00010 10001 10001 01000 10001 00010",
    "01110 01110 11111 01110 00010 01110 01110 01000 01110 01100",
)
"""The digits from 0 to 9, five dots wide and seven high; 1 is black."""
_GREY: Final = b"\x08\x00\x00\x00\x00"
"""The end of a PNG's header: eight bits of grey, the usual compression and filters, not interlaced."""


def ask(rng: Random) -> tuple[Message, str]:
    """A question about an image, and the number in it."""
    number = "".join(rng.choice("0123456789") for _ in range(DIGITS))
    question = "Which number does the image show? Answer with its digits."
    return Message(Role.USER, question, (Image("image/png", _png(_dots(number))),)), number


def names(answer: str, number: str) -> bool:
    """Whether the digits of an answer, without what is between them, contain the number."""
    return number in "".join(letter for letter in answer if letter in "0123456789")


def _dots(number: str) -> list[str]:
    """Rows of dots with a margin of two around the digits."""
    rows = [row.split() for row in _FONT]
    lines = ["00" + "00".join(row[int(digit)] for digit in number) + "00" for row in rows]
    blank = "0" * len(lines[0])
    return [blank, blank, *lines, blank, blank]


def _png(rows: list[str]) -> bytes:
    lines = [b"\0" + b"".join((b"\xff", b"\x00")[dot == "1"] * _SCALE for dot in row) for row in rows]
    data = b"".join(line * _SCALE for line in lines)
    header = struct.pack(">II", len(rows[0]) * _SCALE, len(rows) * _SCALE) + _GREY
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(data)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
