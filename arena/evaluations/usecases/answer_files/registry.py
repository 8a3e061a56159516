"""Kinds of files with answers: how each is known by its beginning, and the entries in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from arena.adapters.row_files.row_file import open_rows
from arena.evaluations.usecases.answer_files import rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from arena.adapters.row_files.row_file import RowFile
    from arena.evaluations.usecases.answer_files.entries import Entry, Line

    Parse = Callable[[Mapping[str, Any]], Entry]

_ROWS: Final[tuple[tuple[frozenset[str], Parse], ...]] = (
    (frozenset({"uid", "model", "messages"}), rows.arena_hard),
    (frozenset({"question_id", "model_id", "choices"}), rows.fastchat),
    (frozenset({"model", "answer"}), rows.own),
    (frozenset({"model", "answers"}), rows.own),
)
"""Fields by which the rows of a file are known; the first that fits."""
_TABLES: Final = (".csv", ".tsv", ".csv.gz", ".tsv.gz")


def entries(path: Path, *, wide: bool) -> Iterator[Line] | None:
    """The entries of a file with answers, None for one of questions; with `wide` columns of a table are models.

    Raises:
        Invalid: The file cannot be read.
    """
    with open_rows(path) as file:
        names = _names(file)
    parse = next((parse for fields, parse in _ROWS if fields <= names), None)
    if parse is None and not (wide and _is_table(path) and rows.models_of(names)):
        return None
    return _read(path, parse)


def _read(path: Path, parse: Parse | None) -> Iterator[Line]:
    with open_rows(path) as file:
        yield from rows.columns(*file.table()) if parse is None else rows.each(file.rows(), parse)


def _is_table(path: Path) -> bool:
    return path.name.lower().endswith(_TABLES)


def _names(file: RowFile) -> frozenset[str]:
    """The fields of the first row of JSON, or the columns of a table."""
    if file.start()[:1] in {b"[", b"{"}:
        row: object = next(file.json(), (0, None))[1]
        return frozenset(cast("dict[str, Any]", row)) if isinstance(row, dict) else frozenset()
    return frozenset(file.table()[0]) if _is_table(file.path) else frozenset()
