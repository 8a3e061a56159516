"""Rows of JSON lines, of a JSON array, or of CSV below its header, each with the line on which it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.row_files import csv_rows, json_rows
from arena.adapters.row_files.rows import Unusable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.adapters.row_files.source import Source


def rows_of(source: Source) -> Iterator[tuple[int, object]]:
    """All rows as mappings, or an `Unusable` where one is broken; empty cells of CSV are left out.

    Raises:
        Invalid: The file is neither.
    """
    start = source.start()
    if start.startswith(b"["):
        yield from json_rows.array(source.text("strict"))
    elif start.startswith(b"{"):
        yield from json_rows.lines(source.stream)
    else:
        yield from _of_csv(source)


def _of_csv(source: Source) -> Iterator[tuple[int, object]]:
    header, rows = csv_rows.opened(source.text("surrogateescape"))
    for line, cells in rows:
        try:
            pairs = zip(header, csv_rows.whole(cells, header), strict=True)
            yield line, {name: cell for name, cell in pairs if cell}
        except Unusable as error:
            yield line, error
