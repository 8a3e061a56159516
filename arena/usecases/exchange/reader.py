"""Reader of vote files, without a database: detects compression and format, separates valid and invalid rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from arena.adapters.row_files.row_file import RowFile, open_rows
from arena.adapters.row_files.rows import BadRow
from arena.domain.errors import Invalid
from arena.domain.terms import Format
from arena.usecases.exchange import formats
from arena.usecases.exchange.imported_votes import ColumnNames, ImportedVote

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from arena.usecases.exchange.imported_votes import Progress

_OWN = re.compile(rb'"format"\s*:\s*"' + formats.NAME.encode() + rb'"')
_TOLD_EVERY: Final = 2_000


def read_votes(
    path: Path,
    *,
    format: Format | None = None,
    columns: ColumnNames | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> tuple[list[ImportedVote], list[BadRow]]:
    """All votes of a file in its order, and the rows that cannot become one. About 0.5 KB of memory per vote.

    `format` overrides the guess from name and first bytes; gzip is recognised by itself. `progress` is told how many
    bytes of the file have been read.

    Raises:
        Invalid: The file cannot be read, is damaged or lacks a column, or, with `strict`, has a bad row.
    """
    votes: list[ImportedVote] = []
    bad: list[BadRow] = []
    with open_rows(path) as file:
        for count, row in enumerate(_rows(file, format, columns)):
            if isinstance(row, ImportedVote):
                votes.append(row)
            elif strict:
                raise Invalid(str(row))
            else:
                bad.append(row)
            if progress and count % _TOLD_EVERY == 0:
                progress(file.place())
    return votes, bad


def _rows(file: RowFile, format: Format | None, columns: ColumnNames | None) -> Iterator[ImportedVote | BadRow]:
    match format or _guess(file.start(), file.path, columns):
        case Format.ARENA:
            return formats.own_votes(file.json())
        case Format.CHATBOT_ARENA:
            return formats.battles(file.json())
        case Format.CSV:
            header, rows = file.table()
            return formats.named_columns(header, rows, columns)


def _guess(start: bytes, path: Path, columns: ColumnNames | None) -> Format:
    name = path.name.lower().removesuffix(".gz")
    if columns or name.endswith((".csv", ".tsv")):
        return Format.CSV
    if start.startswith(b"["):
        return Format.CHATBOT_ARENA
    if start.startswith(b"{"):
        return Format.ARENA if _OWN.search(start) else Format.CHATBOT_ARENA
    if not start:
        raise Invalid(f"{path}: empty.")
    raise Invalid(f"{path}: neither JSON nor CSV by its name and first bytes; say what it is with --format.")
