"""Reader of vote files, without a database: it detects compression and format, and separates votes from bad rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from arena.adapters.row_files.limits import PLAIN_ROWS, TEXT_ROWS, RowLimit
from arena.adapters.row_files.row_file import RowFile, open_rows
from arena.adapters.row_files.rows import BadRow
from arena.domain.errors import Invalid
from arena.domain.terms import Format
from arena.usecases.exchange import formats, open_webui
from arena.usecases.exchange.imported_votes import ColumnNames, ImportedVote
from arena.usecases.exchange.open_webui import Feedback

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Rows = Iterator[ImportedVote | BadRow | None]

    from arena.usecases.exchange.imported_votes import Progress

ROWS_LIMIT: Final = 10_000_000
"""Maximum rows of a file, which bounds the memory for it."""
_PLAIN_ROWS: Final = RowLimit(
    PLAIN_ROWS.size, f"; `arena votes import --with-texts` reads one of up to {TEXT_ROWS.size >> 20} MB"
)
_OWN = re.compile(rb'"format"\s*:\s*"' + formats.NAME.encode() + rb'"')
_FEEDBACK = re.compile(rb'"sibling_model_ids"\s*:|"type"\s*:\s*"rating"')
_CHATS = re.compile(rb'"title"\s*:.*"chat"\s*:\s*\{', re.DOTALL)


def read_votes(
    path: Path,
    *,
    format: Format | None = None,
    columns: ColumnNames | None = None,
    strict: bool = False,
    progress: Progress | None = None,
    watch: Callable[[Feedback], object] = id,
    texts: bool = False,
    limit: int = ROWS_LIMIT,
) -> tuple[list[ImportedVote], list[BadRow]]:
    """All votes of a file in its order (of feedback, in that of time), and its bad rows; about 0.5 KB per row.

    `format` overrides the guess from name and first bytes; gzip is detected. `progress` gets the number of bytes read,
    `watch` each feedback of Open WebUI, comparison or not. With `texts`, language and category are read from chats in
    the file, which are not stored.

    Raises:
        Invalid: The file cannot be read, is damaged, lacks a column, has more rows and votes than `limit`, or, with
            `strict`, has a bad row.
    """
    votes: list[ImportedVote] = []
    bad: list[BadRow] = []
    with open_rows(path, TEXT_ROWS if texts else _PLAIN_ROWS, kind_rule="votes_kind") as file:
        rows = _rows(file, format, columns, watch, texts=texts)
        for count, row in enumerate(file.with_progress(rows, progress)):
            if count >= limit:
                raise Invalid(f"{path}: more than {limit:,} rows; split the file.")
            if isinstance(row, ImportedVote):
                votes.append(row)
            elif row and strict:
                raise Invalid(str(row))
            elif row:
                bad.append(row)
    return votes, bad


def good_votes(path: Path, progress: Progress, *, texts: bool, limit: int) -> list[ImportedVote]:
    """The votes of a file without its bad rows, as `read_votes` returns them."""
    return read_votes(path, progress=progress, texts=texts, limit=limit)[0]


def _rows(
    file: RowFile,
    format: Format | None,
    columns: ColumnNames | None,
    watch: Callable[[Feedback], object],
    *,
    texts: bool,
) -> Rows:
    match format or _guess(file.start(), file.path, columns):
        case Format.ARENA:
            return formats.own_votes(file.json())
        case Format.CHATBOT_ARENA:
            return formats.battles(file.json(), file.path, texts=texts)
        case Format.OPEN_WEBUI if file.start()[:1] in {b"[", b"{"}:
            return _feedback_votes(open_webui.feedback_rows(file.json(), texts=texts), watch)
        case Format.OPEN_WEBUI | Format.CSV as kind:
            header, rows = file.table()
            if not columns and (kind is Format.OPEN_WEBUI or set(header) >= open_webui.COLUMNS):
                return _feedback_votes(open_webui.feedback_cells(rows), watch)
            return formats.named_columns(header, rows, columns)


def _feedback_votes(rows: Iterator[Feedback | BadRow], watch: Callable[[Feedback], object]) -> Rows:
    """None for each feedback that is read and its `BadRow` for each other, then the votes of all in order of time."""
    feedback = list[Feedback]()
    for row in rows:
        if isinstance(row, BadRow):
            yield row
        else:
            watch(row)
            feedback.append(row)
            yield None
    votes = open_webui.FeedbackVotes()
    for item in open_webui.in_order(feedback):
        yield from votes.of(item)


def _guess(start: bytes, path: Path, columns: ColumnNames | None) -> Format:
    if not start:
        raise Invalid(f"{path}: empty.", rule="file_empty")
    name = path.name.lower().removesuffix(".gz")
    if columns or name.endswith((".csv", ".tsv")):
        return Format.CSV
    if start[:1] not in {b"[", b"{"}:
        raise Invalid(f"{path}: neither JSON nor CSV by its name and first bytes; name its kind with --format.")
    if _FEEDBACK.search(start):
        return Format.OPEN_WEBUI
    if _CHATS.search(start):
        raise Invalid(f"{path}: an export of chats; votes are in Open WebUI's export of feedback, under Evaluations.")
    return Format.ARENA if start.startswith(b"{") and _OWN.search(start) else Format.CHATBOT_ARENA
