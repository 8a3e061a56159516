"""Rows that commands show: a table on a terminal, aligned text elsewhere, and JSON with `--json`."""

from __future__ import annotations

import math
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from json import dumps
from typing import Annotated, Any, Final, TypeVar, cast

import typer

from arena.domain.terms import UNNAMED_OWNER

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

UNNAMED_TEXT: Final = "unnamed owner"
"""The words of the pages for an owner without a name, which commands take as its name."""
Cells = Mapping[str, object]
"""One line of a table: each cell under the title of its column."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TextTable:
    """Lines with the same columns, below a title and above a note."""

    lines: Sequence[Cells]
    title: str = ""
    note: str = ""


def cells(row: object) -> Cells:
    """The fields of a dataclass, a pydantic model or a mapping, each under its name in words."""
    return {name.replace("_", " "): value for name, value in _fields(row).items()}


def show(rows: Sequence[T], line: Callable[[T], Cells] = cells, *, json: bool) -> None:
    """Print a list of rows: `line` makes the cells of one in a table, and JSON has its fields."""
    if json:
        show_json(rows)
    else:
        show_tables(TextTable([line(row) for row in rows]))


def facts_table(record: object, names: Iterable[str] | None = None, title: str = "") -> TextTable:
    """A table of the fields of a record, or of those with these `names`, one below the other."""
    values = _fields(record)
    return TextTable([{"fact": name.replace("_", " "), "value": values[name]} for name in names or values], title)


def show_tables(*tables: TextTable) -> None:
    """Print tables one below the other, as wide as the terminal, or as wide as their cells without one."""
    if sys.stdout.isatty():
        _draw(tables)
    else:
        print("\n\n".join("\n".join(_aligned(table)) for table in tables))


def show_json(value: object) -> None:
    """Print a value as JSON without escapes of letters: indented on a terminal, on one line for programs."""
    print(dumps(to_json(value), ensure_ascii=False, allow_nan=False, indent=2 if sys.stdout.isatty() else None))


def to_json(value: object) -> object:
    """Convert to JSON values: fields by name, arrays to lists, times to ISO 8601, NaN and infinities to None."""
    # First, as most values are, and the checks below take twenty times as long.
    if value is None or isinstance(value, str | int | float):
        return _scalar(value)
    if isinstance(value, Mapping) or is_dataclass(value):
        return {str(name): to_json(field) for name, field in _fields(cast("object", value)).items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in cast("Sequence[object]", value)]
    # Not by their types: importing pydantic or numpy takes longer than most commands.
    foreign = cast("Any", value)
    if hasattr(value, "model_dump"):
        return to_json(foreign.model_dump(mode="json"))
    return to_json(foreign.tolist()) if hasattr(value, "tolist") else _scalar(value)


def owner_text(name: str) -> str:
    """The name of an owner, or the words of the pages for one without a name."""
    return UNNAMED_TEXT if name == UNNAMED_OWNER else name


def owner_name(text: str) -> str:
    """The name of an owner, as stored, from what a person reads and types."""
    return UNNAMED_OWNER if text == UNNAMED_TEXT else text


def printable(value: object) -> str:
    """The text of a cell without control characters, by which a name could control the terminal."""
    if isinstance(value, Mapping):
        return ", ".join(f"{printable(name)} {printable(item)}" for name, item in cast("Cells", value).items()) or "-"
    if isinstance(value, list | tuple):
        return ", ".join(map(printable, cast("Sequence[object]", value))) or "-"
    text = _text(value)
    return text if text.isprintable() else "".join(letter if letter.isprintable() else " " for letter in text)


def _scalar(value: object) -> object:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value.isoformat() if isinstance(value, date) else str(value)


def _text(value: object) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:%Y-%m-%d %H:%M:%S}" if isinstance(value, datetime) else str(value)


def _fields(row: object) -> Cells:
    if isinstance(row, Mapping):
        return cast("Cells", row)
    if is_dataclass(row):
        return {field.name: getattr(row, field.name) for field in fields(row)}
    # Pydantic's models are pairs of names and values; `dict` would take a field called `keys` for a method.
    return {name: value for name, value in cast("Iterable[tuple[str, object]]", row)}


def _draw(tables: Iterable[TextTable]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    for table in tables:
        grid = Table(*_titles(table), title=table.title or None, caption=table.note or None, title_justify="left")
        for line in table.lines:
            grid.add_row(*(Text(printable(cell)) for cell in line.values()))
        console.print(grid)


def _aligned(table: TextTable) -> Iterable[str]:
    grid = [_titles(table), *([printable(cell) for cell in line.values()] for line in table.lines)]
    widths = [max(map(_width, column)) for column in zip(*grid, strict=True)]
    if table.title:
        yield table.title
    for line in grid:
        yield "  ".join(cell + " " * (width - _width(cell)) for cell, width in zip(line, widths, strict=True)).rstrip()
    if table.note:
        yield table.note


def _titles(table: TextTable) -> list[str]:
    return list(table.lines[0]) if table.lines else ["(none)"]


def _width(text: str) -> int:
    """Columns of a terminal that a text takes; a Chinese character takes two."""
    return len(text) if text.isascii() else sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)
