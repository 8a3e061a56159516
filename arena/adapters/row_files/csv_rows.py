"""Rows of CSV files with a header; read with comma, semicolon or tab, written with comma."""

from __future__ import annotations

import csv
import io
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeVar

from arena.adapters.row_files.json_rows import ROW_LIMIT
from arena.adapters.row_files.rows import Unusable
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


def table(text: TextIO) -> tuple[list[str], Iterator[CsvRow]]:
    """Header and rows; `text` has its original line ends, and surrogates for bytes that are not UTF-8.

    Raises:
        Invalid: The header is not CSV.
    """
    # Cells may be answers, longer than the default limit of 128 KiB; the limit holds for the whole process.
    csv.field_size_limit(ROW_LIMIT)
    first = text.readline(ROW_LIMIT)
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(chain([first], text), delimiter=delimiter, strict=True)
    try:
        header = next(reader, [""])
    except csv.Error as error:
        raise Invalid(f"The line with the names of the columns is not CSV: {error}.") from None
    return header, _rows(reader, header)


def _rows(reader: _Reader, header: list[str]) -> Iterator[CsvRow]:
    """Rows with their first lines; a quoted cell may have several lines."""
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield line, Unusable(f"not CSV: {error}")
            continue
        if cells:
            yield line, _by_column(cells, header)


def _by_column(cells: list[str], header: list[str]) -> dict[str, str] | Unusable:
    if len(cells) != len(header):
        return Unusable(f"{amount(len(cells), 'cell')} where the header has {len(header)}")
    if any("\udc80" <= character <= "\udcff" for cell in cells if not cell.isascii() for character in cell):
        return Unusable("not UTF-8")
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
