"""A file from a person, read row by row in any format; every fault of it raises `Invalid`."""

from __future__ import annotations

import gzip
import io
import zlib
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from arena.adapters.row_files import csv_rows, json_rows, xlsx_rows
from arena.adapters.row_files.file_kinds import HEAD, ZIP, binary_kind
from arena.adapters.row_files.limits import PLAIN_ROWS, RowLimit, UnpackedBytes
from arena.adapters.row_files.rows import Unusable
from arena.domain.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from pathlib import Path

    from arena.adapters.row_files.csv_rows import CsvRow
    from arena.adapters.row_files.json_rows import JsonRow
    from arena.adapters.row_files.xlsx_rows import SheetRow

T = TypeVar("T")

_GZIP: Final = b"\x1f\x8b"
_UTF32: Final = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_BOM: Final = b"\xef\xbb\xbf"
_BUFFER: Final = 2**20
_REMEDY: Final = (
    "save it as UTF-8 (in Excel: CSV UTF-8), or convert it, for example from Chinese Windows by"
    " `iconv -f GB18030 -t UTF-8`"
)
_PROGRESS_ROWS: Final = 50
"""Rows between two reports of progress."""


@dataclass(frozen=True, slots=True)
class RowFile:
    """An open file: `stream` has its bytes, unpacked if it is gzipped, and `raw` those of the file itself."""

    path: Path
    stream: io.BufferedReader[Any]
    raw: io.BufferedReader[Any]
    stack: ExitStack
    row_limit: RowLimit
    kind_rule: str = "file_kind"
    """Rule of the error of a file that is no text: which formats a page names."""

    def place(self) -> int:
        """Bytes of the file read so far, 0 for a pipe."""
        return self.raw.tell() if self.raw.seekable() else 0

    def with_progress(self, rows: Iterable[T], progress: Callable[[int], object] | None) -> Iterator[T]:
        """The rows; `progress` is called from time to time with the bytes of the file read so far."""
        for count, row in enumerate(rows):
            yield row
            if progress and count % _PROGRESS_ROWS == 0:
                progress(self.place())

    @property
    def is_zip(self) -> bool:
        """Whether it is a ZIP file, which spreadsheets are, too."""
        return self.stream is self.raw and self.raw.peek(HEAD).startswith(ZIP)

    def start(self) -> bytes:
        """The first bytes without byte order mark and white space, to detect a format; nothing is consumed.

        Raises:
            Invalid: The file is UTF-16 or UTF-32, or of a kind that is no text.
        """
        self._check()
        head = self.stream.peek(_BUFFER)
        if head.startswith((*_UTF32, *_UTF16)):
            coding = f"UTF-{32 if head.startswith(_UTF32) else 16}"
            raise Invalid(f"{self.path}: {coding}; save it as UTF-8.", rule="file_coding")
        if [bool(byte) for byte in head[:4]] in ([True, False] * 2, [False, True] * 2):
            raise Invalid(f"{self.path}: UTF-16 without its mark; save it as UTF-8.", rule="file_coding")
        return head.removeprefix(_BOM).lstrip()

    def rows(self) -> Iterator[JsonRow]:
        """The rows of JSON lines, of a JSON array, or of CSV without its empty cells.

        Raises:
            Invalid: The file is none of these, or two columns have the same name.
        """
        if self.start()[:1] in {b"[", b"{"}:
            yield from self.json()
            return
        header, rows = self.table()
        names = [name for name in header if name]
        if len(set(names)) < len(names):
            raise Invalid(f"{self.path}: two columns have the same name.", rule="file_columns")
        for line, cells in rows:
            yield line, cells if isinstance(cells, Unusable) else {name: cell for name, cell in cells.items() if cell}

    def json(self) -> Iterator[JsonRow]:
        """The elements of a JSON array, or the values of JSON lines."""
        if self.start().startswith(b"["):
            return json_rows.array(self.text(), self.row_limit)
        return self.json_lines()

    def json_lines(self) -> Iterator[JsonRow]:
        """The values of JSON lines."""
        self._check()
        return json_rows.lines(self.stream, self.row_limit)

    def table(self) -> tuple[list[str], Iterator[CsvRow]]:
        """Header and rows of CSV.

        Raises:
            Invalid: The header is not CSV.
        """
        return csv_rows.table(self.text(), self.row_limit)

    def lines(self) -> Iterator[str]:
        """The lines of a text.

        Raises:
            Invalid: One is longer than the limit of rows.
        """
        text, number = self.text(), 0
        while line := text.readline(self.row_limit.size + 1):
            number += 1
            if len(line) > self.row_limit.size:
                raise self.row_limit.refusal(number)
            yield line

    def sheet(self) -> Iterator[SheetRow]:
        """The rows of the first sheet of a spreadsheet."""
        return xlsx_rows.rows(self.raw)

    def text(self) -> io.TextIOWrapper:
        """The bytes decoded as UTF-8, with the original line ends."""
        self._check()
        return self.stack.enter_context(io.TextIOWrapper(self.stream, "utf-8-sig", newline=""))

    def _check(self) -> None:
        if kind := binary_kind(self.stream.peek(HEAD)):
            sentence = f"{self.path}: {kind}; give its rows as a file of CSV, JSON lines or one JSON array."
            raise Invalid(sentence, rule=self.kind_rule)


@contextmanager
def open_rows(path: Path, row_limit: RowLimit = PLAIN_ROWS, *, kind_rule: str = "file_kind") -> Generator[RowFile]:
    """Open a file for the block; `TEXT_ROWS` are for those whose texts are read.

    Raises:
        Invalid: It cannot be read, is damaged, exceeds a limit, or is not UTF-8; also for such errors in the block.
    """
    with ExitStack() as stack:
        try:
            raw = stack.enter_context(path.open("rb"))
            stream = raw
            if raw.peek(2).startswith(_GZIP):
                plain = stack.enter_context(gzip.GzipFile(fileobj=raw))
                unpacked = UnpackedBytes(plain, path)
                stream = stack.enter_context(io.BufferedReader(unpacked, _BUFFER))
            yield RowFile(path, stream, raw, stack, row_limit, kind_rule)
        except UnicodeDecodeError:
            raise Invalid(f"{path}: not UTF-8, so nothing of it is read; {_REMEDY}.", rule="file_coding") from None
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise Invalid(f"{path}: the compressed file is damaged or cut off.", rule="file_damaged") from None
        except OSError as error:
            raise Invalid(f"{path}: {error.strerror or error}.") from None


def read_text(path: Path) -> str:
    """The whole text of a small file in UTF-8.

    Raises:
        Invalid: It cannot be read, or is not UTF-8.
    """
    with open_rows(path) as file:
        return file.text().read()
