"""JSON rows from JSON lines or from one array, read without the whole file in memory.

docs/decisions/0036-json-arrays.md has the reasons against ijson.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from arena.adapters.row_files.limits import PLAIN_ROWS, TOO_LONG, RowLimit, check_members
from arena.adapters.row_files.rows import Unusable
from arena.domain.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, TextIO

_CHUNK: Final = 2**20
_MAX_INTEGER_DIGITS: Final = 300
"""Most digits that are read as an integer; longer numbers become floats, since conversion takes quadratic time."""
_SPACE: Final = " \t\r\n"
_ENDS: Final = frozenset(_SPACE + ",]")

JsonRow = tuple[int, object]
"""The first line of the row, and its value, or an `Unusable` with the reason."""


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_INTEGER_DIGITS else float(digits)


# Some programs write NaN for a missing value.
_DECODER: Final = json.JSONDecoder(parse_int=_integer, parse_constant=lambda _: None)


def lines(stream: BinaryIO, limit: RowLimit = PLAIN_ROWS) -> Iterator[JsonRow]:
    """One value per line; empty lines are skipped, and a longer one than `limit` raises `Invalid` or is unusable."""
    number = 0
    while raw := stream.readline(limit.size + 1):
        number += 1
        if len(raw) > limit.size:
            if not limit.skips_lines:
                raise limit.refusal(number)
            while raw and not raw.endswith(b"\n"):
                raw = stream.readline(limit.size)
            yield number, Unusable(TOO_LONG, rule="size")
        elif raw.strip():
            yield number, _decode(raw, number)


def _decode(raw: bytes, line: int) -> object:
    try:
        text = raw.decode("utf-8-sig")
        check_members(text, line)
        return _DECODER.decode(text)
    except UnicodeDecodeError:
        raise  # then other lines that happen to be ASCII would be read as the whole file
    except ValueError:
        return Unusable("not JSON", rule="json")
    except RecursionError:
        return Unusable("nested too deeply", rule="deep")


def array(text: TextIO, limit: RowLimit = PLAIN_ROWS) -> Iterator[JsonRow]:
    """The elements of one array.

    Raises:
        Invalid: The array is broken or cut off, or an element longer than `limit`; later ones cannot be located.
    """
    window = _Window(text, limit)
    window.expect("[")
    if window.peek() == "]":
        window.expect("]")
    else:
        yield window.line, window.value()
        while window.expect(",]") == ",":
            window.peek()
            yield window.line, window.value()
    if window.peek():
        raise Invalid(
            f"line {window.line}: there is more after the end of the array.", rule="file_json", line=window.line
        )


class _Window:
    """A moving part of a long text; `line` is the line of the next character."""

    def __init__(self, text: TextIO, limit: RowLimit) -> None:
        self.line = 1
        self._text, self._limit = text, limit
        self._window = ""
        self._position = 0

    def peek(self) -> str:
        """The next character that is not white space; empty at the end."""
        while True:
            end = self._position
            while end < len(self._window) and self._window[end] in _SPACE:
                end += 1
            self._move(end)
            if end < len(self._window):
                return self._window[end]
            if not self._more(_CHUNK):
                return ""

    def expect(self, characters: str) -> str:
        """Move past the next character, which must be one of `characters`."""
        character = self.peek()
        if not character:
            raise Invalid(
                f"line {self.line}: the file ends in the middle of the array.", rule="file_json", line=self.line
            )
        if character not in characters:
            raise Invalid(f"line {self.line}: not valid JSON.", rule="file_json", line=self.line)
        self._move(self._position + 1)
        return character

    def value(self) -> object:
        """Move past the next value and return it; reads on until the character after it is in the window."""
        size = _CHUNK
        while True:
            try:
                value, end = _DECODER.raw_decode(self._window, self._position)
            except RecursionError:
                raise Invalid(f"line {self.line}: nested too deeply.", rule="file_json", line=self.line) from None
            except ValueError:
                if not self._more(size):
                    sentence = f"line {self.line}: not valid JSON, or the file ends here."
                    raise Invalid(sentence, rule="file_json", line=self.line) from None
            else:
                if self._window[end : end + 1] in _ENDS or not self._more(size):
                    self._move(end)
                    return value
            check_members(self._window, self.line)
            size *= 2

    def _move(self, end: int) -> None:
        self.line += self._window.count("\n", self._position, end)
        self._position = end

    def _more(self, size: int) -> bool:
        if len(self._window) - self._position > self._limit.size:
            raise self._limit.refusal(self.line)
        piece = self._text.read(size)
        self._window, self._position = self._window[self._position :] + piece, 0
        return bool(piece)
