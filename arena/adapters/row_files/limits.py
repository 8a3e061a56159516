"""Limits on files from people: their rows, the members of a row, and their unpacked size."""

from __future__ import annotations

import io
import re
import sys
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final

from arena.domain.errors import Invalid

if TYPE_CHECKING:
    from gzip import GzipFile
    from pathlib import Path

    from _typeshed import WriteableBuffer

MAX_MEMBERS: Final = 1_000_000
"""Most values in one row of JSON, since each takes 60 bytes of memory and more."""
UNPACKED_LIMIT: Final[ContextVar[int]] = ContextVar("UNPACKED_LIMIT", default=sys.maxsize)
"""Most unpacked bytes of a file; a process that reads strangers' files lowers it, files of one's own have no limit."""
# Linear for any input: quantifiers are possessive, and a string without an end runs to the end of the text.
_STRINGS: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)


@dataclass(frozen=True, slots=True)
class RowLimit:
    """Most bytes of a line, or characters of a row of an array or a table; `remedy` ends the sentence of a refusal.

    With `skips_lines` a longer line is an `Unusable` with the text `TOO_LONG` in place of a refusal.
    """

    size: int
    remedy: str = ""
    skips_lines: bool = False

    def refusal(self, line: int) -> Invalid:
        """The error of a longer row that begins on this line."""
        size = self.size / 2**20
        sentence = f"line {line}: a row is longer than {size:g} MB{self.remedy}."
        return Invalid(sentence, rule="row_long", line=line, limit=size)


TOO_LONG: Final = "longer than a row may be"
PLAIN_ROWS: Final = RowLimit(2 * 2**20)
"""Rows of votes, labels, scores and annotations."""
TEXT_ROWS: Final = RowLimit(64 * 2**20)
"""Rows with texts, such as chats and answers."""


def check_members(text: str, line: int) -> None:
    """Refuse a long JSON text of many values before it is parsed, as a parsed one takes many times its size.

    Raises:
        Invalid: It has more than `MAX_MEMBERS` values.
    """
    if len(text) > MAX_MEMBERS and _marks(text) > MAX_MEMBERS and _marks(_STRINGS.sub("", text)) > MAX_MEMBERS:
        sentence = f"line {line}: a row has more than {MAX_MEMBERS:,} values."
        raise Invalid(sentence, rule="row_values", line=line, limit=MAX_MEMBERS)


def _marks(text: str) -> int:
    """The number of commas and opening brackets: each value follows one."""
    return text.count(",") + text.count("[") + text.count("{")


def check_unpacked(path: Path, size: int) -> None:
    """Raise `Invalid` for a file of this unpacked size if that is more than `UNPACKED_LIMIT`."""
    if size > (limit := UNPACKED_LIMIT.get()):
        sentence = f"{path}: it unpacks to more than {limit >> 20:,} MB; split the file."
        raise Invalid(sentence, rule="file_unpacked", limit=limit >> 20)


class UnpackedBytes(io.RawIOBase):
    """The unpacked bytes of a compressed file, up to `UNPACKED_LIMIT`."""

    def __init__(self, plain: BinaryIO | GzipFile, path: Path) -> None:
        self._plain, self._path, self._size = plain, path, 0

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read the next bytes.

        Raises:
            Invalid: They are beyond the limit.
        """
        view = memoryview(buffer)
        piece = self._plain.read(len(view))
        self._size += len(piece)
        check_unpacked(self._path, self._size)
        view[: len(piece)] = piece
        return len(piece)
