"""Rows of CSV files with a header; read with comma, semicolon or tab, written with comma."""

from __future__ import annotations

import csv
import io
import sys
from typing import TYPE_CHECKING, Final, TypeVar

from arena.adapters.row_files.limits import PLAIN_ROWS, RowLimit
from arena.adapters.row_files.rows import Unusable, distinct_names
from arena.domain.errors import Invalid
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from _csv import Reader as _Reader
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TextIO

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
"""First characters of formulas in spreadsheets."""
_DELIMITERS: Final = ",;\t"

T = TypeVar("T")

CsvRow = tuple[int, dict[str, str] | Unusable]
"""The first line of the row, and its cells by column or the reason why it is unusable."""


def table(text: TextIO, limit: RowLimit = PLAIN_ROWS) -> tuple[list[str], Iterator[CsvRow]]:
    """Header and rows; `text` has its original line ends. Rows tell columns of one name apart (`distinct_names`).

    Raises:
        Invalid: The header is not CSV, or it or a row is longer than `limit`.
    """
    # The default limit of cells is 128 KiB, and holds for the whole process; `_Lines` limits whole rows.
    csv.field_size_limit(sys.maxsize)
    lines = _Lines(text, limit)
    reader = csv.reader(lines, delimiter=max(_DELIMITERS, key=lines.first.count), strict=True)
    try:
        header = next(reader, [""])
    except csv.Error as error:
        sentence = f"The line with the names of the columns is not CSV: {error}."
        raise Invalid(sentence, rule="file_head") from None
    return header, _rows(reader, lines, header)


class _Lines:
    """The lines of a table, as long as one row is not longer than the limit; `first` is the first one."""

    def __init__(self, text: TextIO, limit: RowLimit) -> None:
        self._text, self._limit = text, limit
        self._line = self._row = 1
        """The next line to be given, and the first one of the row."""
        self._size = 0
        """Characters of the row so far."""
        self._ended = False
        self.first = self._pending = text.readline(limit.size + 1)

    def begin_row(self) -> int:
        """Begin a row; return its first line."""
        self._row, self._size = self._line, 0
        return self._row

    def fault(self, error: csv.Error) -> Unusable:
        """Why the row is no CSV, with all lines that its quotation mark has taken."""
        last, count = self._line - 1, self._line - self._row
        if self._ended:
            place = f"from here to the end of the file ({amount(count, 'line')})"
            return Unusable(f"not CSV {place}: a quotation mark is not closed", rule="quote", count=count)
        if count > 1:
            place = f"from here to line {last} ({amount(count, 'line')})"
            return Unusable(f"not CSV {place}: {error}", rule="csv_lines", count=count, last=last)
        return Unusable(f"not CSV: {error}", rule="csv")

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line, self._pending = self._pending or self._text.readline(self._limit.size + 1), ""
        if not line:
            self._ended = True
            raise StopIteration
        self._size += len(line)
        if self._size > self._limit.size:
            raise self._limit.refusal(self._row)
        self._line += 1
        return line


def _rows(reader: _Reader, lines: _Lines, header: list[str]) -> Iterator[CsvRow]:
    """Rows with their first lines; a quoted cell may have several lines."""
    names = distinct_names(header)
    while True:
        line = lines.begin_row()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield line, lines.fault(error)
            continue
        if cells:
            yield line, _by_column(cells, names)


def _by_column(cells: list[str], header: list[str]) -> dict[str, str] | Unusable:
    if len(cells) != len(header):
        problem = f"{amount(len(cells), 'cell')} where the header has {len(header)}"
        return Unusable(problem, rule="cells", count=len(cells), heads=len(header))
    return dict(zip(header, cells, strict=True))


def plain_cell(value: T) -> T | str:
    """The value; a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


def csv_table(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """CSV text with a header and rows."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(plain_cell, row) for row in rows)
    return out.getvalue()
