"""JSON rows one after the other, from JSON lines or from one array, without holding the whole file.

docs/decisions/0036-json-arrays.md says why not by ijson.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from arena.adapters.row_files.rows import Unusable
from arena.domain.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, TextIO

ROW_LIMIT: Final = 64 * 2**20
"""Longest row, in bytes of a line or characters of an array's element; a longer one is damaged or not meant for us."""

_CHUNK: Final = 2**20
_LONG: Final = 300
"""More digits than any float has: such a number is out of every range that we accept."""
_SPACE: Final = " \t\r\n"
_ENDS: Final = frozenset(_SPACE + ",]")

JsonRow = tuple[int, object]
"""The line it starts on, and the value, or an `Unusable` that says why there is none."""


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONG else float(digits)


# Some writers put NaN where a value is missing.
_DECODER: Final = json.JSONDecoder(parse_int=_integer, parse_constant=lambda _: None)


def lines(stream: BinaryIO) -> Iterator[JsonRow]:
    """One value per line; empty lines are passed over."""
    number = 0
    while raw := stream.readline(ROW_LIMIT + 1):
        number += 1
        if len(raw) > ROW_LIMIT:
            raise Invalid(f"line {number} is longer than {ROW_LIMIT} bytes.")
        if raw.strip():
            yield number, _decoded(raw)


def _decoded(raw: bytes) -> object:
    try:
        return _DECODER.decode(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return Unusable("not UTF-8")
    except ValueError:
        return Unusable("not JSON")
    except RecursionError:
        return Unusable("nested too deeply")


def array(text: TextIO) -> Iterator[JsonRow]:
    """The elements of one array.

    Raises:
        Invalid: It is broken or cut off; from there on nobody knows where an element begins.
    """
    window = _Window(text)
    window.expect("[")
    if window.peek() == "]":
        window.expect("]")
    else:
        yield window.line, window.value()
        while window.expect(",]") == ",":
            window.peek()
            yield window.line, window.value()
    if window.peek():
        raise Invalid(f"line {window.line}: there is more after the end of the array.")


class _Window:
    """A moving part of a long text; `line` is the line of the next character."""

    def __init__(self, text: TextIO) -> None:
        self.line = 1
        self._text = text
        self._held = ""
        self._at = 0

    def peek(self) -> str:
        """The next character that is no space, empty at the end."""
        while True:
            end = self._at
            while end < len(self._held) and self._held[end] in _SPACE:
                end += 1
            self._move(end)
            if end < len(self._held):
                return self._held[end]
            if not self._more(_CHUNK):
                return ""

    def expect(self, characters: str) -> str:
        """Move past the next character, which must be one of these."""
        character = self.peek()
        if not character:
            raise Invalid(f"line {self.line}: the file ends in the middle of the array.")
        if character not in characters:
            raise Invalid(f"line {self.line}: not valid JSON.")
        self._move(self._at + 1)
        return character

    def value(self) -> object:
        """Move past the next value; where nothing that ends one follows in the window, more may belong to it."""
        size = _CHUNK
        while True:
            try:
                value, end = _DECODER.raw_decode(self._held, self._at)
            except RecursionError:
                raise Invalid(f"line {self.line}: nested too deeply.") from None
            except ValueError:
                if not self._more(size):
                    raise Invalid(f"line {self.line}: not valid JSON, or the file ends here.") from None
            else:
                if self._held[end : end + 1] in _ENDS or not self._more(size):
                    self._move(end)
                    return value
            size *= 2

    def _move(self, end: int) -> None:
        self.line += self._held.count("\n", self._at, end)
        self._at = end

    def _more(self, size: int) -> bool:
        if len(self._held) - self._at > ROW_LIMIT:
            raise Invalid(f"line {self.line}: a row is longer than {ROW_LIMIT} characters.")
        piece = self._text.read(size)
        self._held, self._at = self._held[self._at :] + piece, 0
        return bool(piece)
