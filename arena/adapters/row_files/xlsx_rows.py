"""Rows of the first sheet of a spreadsheet; size, unpacked size, rows and columns are limited, XML entities refused."""

from __future__ import annotations

import warnings
import zipfile
import zlib
from datetime import time, timedelta
from typing import IO, TYPE_CHECKING, Any, Final

from arena.adapters.row_files.limits import UNPACKED_LIMIT
from arena.adapters.row_files.rows import NoText
from arena.domain.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZE_LIMIT: Final = 64 * 2**20
"""Most bytes of a file."""
EXPANDED_LIMIT: Final = 512 * 2**20
"""Most bytes of an unpacked file; a process that reads strangers' files has a limit of its memory besides."""
ROW_LIMIT: Final = 100_000
COLUMN_LIMIT: Final = 50

SheetRow = tuple[int, list[object]]
"""The number of a row, from 1, and its cells; one that holds no text, number or truth value is a `NoText`."""


def rows(file: IO[bytes]) -> Iterator[SheetRow]:
    """Yield the rows with a value.

    Raises:
        Invalid: The file is not a spreadsheet, is damaged, exceeds a limit or has entities.
    """
    _check(file)
    try:
        yield from _cells(file)
    except (Invalid, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - a damaged file can make the library raise anything
        raise Invalid(
            f"The spreadsheet is damaged: {_damage(error.__cause__ or error)}. Save it anew, or as CSV.",
            rule="sheet_damaged",
        ) from None


def _damage(error: BaseException) -> str:
    """Words for the fault of a file by the cause of the library's error; those of XML are `SyntaxError`."""
    from defusedxml import DefusedXmlException

    if isinstance(error, (zipfile.BadZipFile, zlib.error, EOFError, OSError)):
        return "its compressed data is broken or cut off"
    if isinstance(error, DefusedXmlException):
        return "it defines XML entities, as no spreadsheet needs to"
    if isinstance(error, SyntaxError):
        return "a part of it is no valid XML"
    if isinstance(error, KeyError):
        return "a part of it is missing, such as a sheet or the list of its texts"
    return "a cell or a setting has a value that the format does not allow"


def _check(file: IO[bytes]) -> None:
    size = file.seek(0, 2)
    if size > SIZE_LIMIT:
        sentence = f"The spreadsheet is larger than {SIZE_LIMIT >> 20} MB; split it, or save it as CSV."
        raise Invalid(sentence, rule="file_unpacked", limit=SIZE_LIMIT >> 20)
    try:
        with zipfile.ZipFile(file) as archive:
            expanded = sum(member.file_size for member in archive.infolist())
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        raise Invalid("The file is no spreadsheet (.xlsx).", rule="sheet_damaged") from None
    if expanded > (limit := min(EXPANDED_LIMIT, UNPACKED_LIMIT.get())):
        raise Invalid(
            f"The spreadsheet unpacks to {expanded >> 20:,} MB, more than the {limit >> 20} MB that are read; split it,"
            " or save it as CSV.",
            rule="file_unpacked",
            limit=limit >> 20,
        )


def _cells(file: IO[bytes]) -> Iterator[SheetRow]:
    # The library is large, and few commands read spreadsheets.
    from openpyxl import DEFUSEDXML, load_workbook

    if not DEFUSEDXML:
        raise Invalid("Spreadsheets are read with the package defusedxml only.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and extensions
        book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
        yield from _rows_with_values(book.worksheets[0])


def _rows_with_values(sheet: Any) -> Iterator[SheetRow]:  # noqa: ANN401 - of a library without types
    rows = sheet.iter_rows(max_row=ROW_LIMIT + 1, max_col=COLUMN_LIMIT)
    for number, cells in enumerate(rows, start=1):
        if number > ROW_LIMIT:
            raise Invalid(f"The spreadsheet has more than {ROW_LIMIT} rows.", rule="file_rows", limit=ROW_LIMIT)
        width = max((place for place, cell in enumerate(cells, start=1) if cell.value is not None), default=0)
        if width:
            yield number, [_value(cell.value, cell.data_type) for cell in cells[:width]]


def _value(value: object, kind: str) -> object:
    if kind == "d":
        return NoText("time" if isinstance(value, time | timedelta) else "date", str(value))
    return NoText("error", str(value)) if kind == "e" else value
