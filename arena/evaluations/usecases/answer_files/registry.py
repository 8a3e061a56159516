"""Formats of files with answers: detection by the beginning of a file, and its entries."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

from arena.adapters.row_files.limits import TEXT_ROWS, check_unpacked
from arena.adapters.row_files.row_file import RowFile, open_rows
from arena.domain.errors import Invalid
from arena.evaluations.usecases.answer_files import logs, rows
from arena.evaluations.usecases.answer_files.entries import Entry, Line
from arena.evaluations.usecases.answer_files.usual_heads import answer_columns, with_fields
from arena.evaluations.usecases.sets.formats.fields import Unused

Parse = Callable[[Mapping[str, object]], Entry]

_ROWS: Final[tuple[tuple[frozenset[str], Parse], ...]] = (
    (frozenset({"uid", "model", "messages"}), rows.arena_hard),
    (frozenset({"question_id", "model_id", "choices"}), rows.fastchat),
    (frozenset({"instruction", "output", "generator"}), rows.alpaca),
    (frozenset({"model", "answer"}), rows.native),
    (frozenset({"model", "answers"}), rows.native),
)
"""Fields by which the format of rows is detected, and the parser; the first match is used."""
_DOCUMENTS: Final[tuple[tuple[set[bytes], Callable[[Mapping[str, object]], Iterator[Line]]], ...]] = (
    ({b"status", b"eval", b"task_id"}, logs.inspect_log),
    ({b"evalId", b"results"}, logs.promptfoo),
    ({b"results", b"version", b"timestamp"}, logs.promptfoo),
)
"""Keys near the beginning of a JSON document by which its format is detected, and the parser."""
_PROMPTFOO: Final = frozenset({"promptIdx", "testIdx", "provider", "response"})
"""Fields of a line of promptfoo's results."""
_KEYS: Final = re.compile(rb'"(\w+)"\s*:')
_TABLES: Final = (".csv", ".tsv", ".csv.gz", ".tsv.gz")


def entries(path: Path, unused: Unused, *, wide: bool) -> Iterator[Line] | None:
    """The entries of a file with answers, None for a file of questions; with `wide` columns of a table are models.

    `unused` gets the fields of own rows that hold something and are not used, once the entries have been read.

    Raises:
        Invalid: The file cannot be read.
    """
    with open_rows(path, TEXT_ROWS) as file:
        if file.is_zip:
            return _archive(path)
        start = file.start()
        keys = set(_KEYS.findall(start)) if start.startswith(b"{") else set[bytes]()
        for fields, parse_document in _DOCUMENTS:
            if fields <= keys:
                return _document(path, parse_document)
        names = _names(file)
    if names >= _PROMPTFOO:
        return _promptfoo_lines(path)
    usual = names.union(answer_columns(names).values())
    parse = next((parse for fields, parse in _ROWS if fields <= usual), None)
    if parse is None and not (wide and _is_table(path) and rows.models_of(names)):
        return None
    return _rows(path, parse, unused)


def _archive(path: Path) -> Iterator[Line] | None:
    """The entries of a log in a zip; None for a spreadsheet."""
    zipfile = _zipfile()
    try:
        with zipfile.ZipFile(path) as archive:
            if not logs.is_archive(archive):
                return None
            size = sum(member.file_size for member in archive.infolist())
    except (zipfile.BadZipFile, OSError):
        raise Invalid(f"{path}: the zip file is damaged or cut off.", rule="sheet_damaged") from None
    check_unpacked(path, size)
    return _members(path, zipfile)


def _members(path: Path, zipfile: Any) -> Iterator[Line]:  # noqa: ANN401 - a module
    with zipfile.ZipFile(path) as archive:
        yield from logs.archive_log(archive)


def _zipfile() -> Any:  # noqa: ANN401 - a module
    """The zip module with Zstandard, which Inspect uses and Python supports from 3.14 on."""
    return import_module("zipfile" if sys.version_info >= (3, 14) else "backports.zstd.zipfile")


def _document(path: Path, parse: Callable[[Mapping[str, object]], Iterator[Line]]) -> Iterator[Line]:
    with open_rows(path, TEXT_ROWS) as file:
        log = logs.document(file.stream, path)
    yield from parse(log)


def _rows(path: Path, parse: Parse | None, unused: Unused) -> Iterator[Line]:
    with open_rows(path, TEXT_ROWS) as file:
        if parse is None:
            yield from rows.wide_rows(*file.table())
        elif parse is rows.native:
            yield from rows.own_rows(with_fields(file.rows()), unused)
        else:
            yield from rows.parse_rows(file.rows(), parse)


def _promptfoo_lines(path: Path) -> Iterator[Line]:
    """The results of promptfoo; the first reading tells whether there are several prompts."""
    with open_rows(path, TEXT_ROWS) as file:
        fields = (cast("dict[str, object]", row) for _, row in file.json() if isinstance(row, dict))
        has_prompts = logs.has_several_prompts(fields)
    with open_rows(path, TEXT_ROWS) as file:
        yield from logs.promptfoo_results(file.json(), has_prompts=has_prompts)


def _is_table(path: Path) -> bool:
    return path.name.lower().endswith(_TABLES)


def _names(file: RowFile) -> frozenset[str]:
    """The fields of the first row of JSON, or the columns of a table."""
    if file.start()[:1] in {b"[", b"{"}:
        row: object = next(file.json(), (0, None))[1]
        return frozenset(cast("dict[str, object]", row)) if isinstance(row, dict) else frozenset()
    return frozenset(file.table()[0]) if _is_table(file.path) else frozenset()
