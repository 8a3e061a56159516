"""Rows of CSV files (comma, semicolon or tab) below a header."""

from __future__ import annotations

import csv
from itertools import chain
from typing import TYPE_CHECKING, Final

from arena.adapters.row_files.json_rows import ROW_LIMIT
from arena.adapters.row_files.rows import Unusable
from arena.domain.errors import Invalid

if TYPE_CHECKING:
    from _csv import Reader as _Reader
    from collections.abc import Iterator
    from typing import TextIO

_DELIMITERS: Final = ",;\t"

Row = tuple[int, list[str] | Unusable]
"""The line it starts on, and its cells, or why there are none."""


def opened(text: TextIO) -> tuple[list[str], Iterator[Row]]:
    """Header and rows; `text` keeps its line ends and has surrogates for bytes that are not UTF-8.

    Raises:
        Invalid: The header is not CSV.
    """
    # Answers stand in such files too, and the limit of 128 KiB per cell is one for the whole process.
    csv.field_size_limit(ROW_LIMIT)
    first = text.readline(ROW_LIMIT)
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(chain([first], text), delimiter=delimiter, strict=True)
    return _header(reader), _rows(reader)


def whole(row: list[str] | Unusable, header: list[str]) -> list[str]:
    """The cells of a row, if there are as many as in the header and all are UTF-8."""
    if isinstance(row, Unusable):
        raise row
    if len(row) != len(header):
        raise Unusable(f"{len(row)} cells where the header has {len(header)}")
    if any("\udc80" <= character <= "\udcff" for cell in row if not cell.isascii() for character in cell):
        raise Unusable("not UTF-8")
    return row


def _header(reader: Iterator[list[str]]) -> list[str]:
    try:
        return next(reader, [""])
    except csv.Error as error:
        raise Invalid(f"The line with the names of the columns is not CSV: {error}.") from None


def _rows(reader: _Reader) -> Iterator[Row]:
    """Rows and the line on which each starts; a quoted cell may go on over several lines."""
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield line, Unusable(f"not CSV: {error}")
            continue
        if row:
            yield line, row
