"""Cells of a sheet as values; a date, a time, an error value or a formula without a value is a `NoText`.

The library drops the kind of a cell with its values, and takes a formula without a value for an empty cell.
"""

from __future__ import annotations

from datetime import time, timedelta
from typing import TYPE_CHECKING, Any

from openpyxl.worksheet._reader import FORMULA_TAG, WorkSheetParser

from arena.adapters.row_files.rows import NoText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class _Parser(WorkSheetParser):
    """A parser that keeps a formula without a value; one whose value is the empty text is blank."""

    def parse_cell(self, element: Any) -> dict[str, Any]:  # noqa: ANN401 - an element of any XML library
        cell: dict[str, Any] = super().parse_cell(element)  # pyright: ignore[reportUnknownMemberType]
        if cell["value"] is None and element.get("t") != "str" and element.find(FORMULA_TAG) is not None:
            cell |= {"value": "", "data_type": "f"}
        return cell


def sheet_cells(sheet: Any) -> Iterator[tuple[int, Iterable[tuple[int, object]]]]:  # noqa: ANN401
    """The number of each row in a sheet of a workbook that is open for reading, and its cells by column, from 1."""
    book = sheet.parent
    with sheet._get_source() as source:  # noqa: SLF001 - it has no other way to the kinds of cells
        parser = _Parser(
            source,
            sheet._shared_strings,  # noqa: SLF001
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,  # noqa: SLF001
            timedelta_formats=book._timedelta_formats,  # noqa: SLF001
        )
        for number, cells in parser.parse():
            yield number, ((cell["column"], _value(cell["value"], cell["data_type"])) for cell in cells)


def _value(value: object, kind: str) -> object:
    match kind:
        case "d":
            return NoText("time" if isinstance(value, time | timedelta) else "date", str(value))
        case "e":
            return NoText("error", str(value))
        case "f":
            return NoText("formula", "")
        case _:
            return value
