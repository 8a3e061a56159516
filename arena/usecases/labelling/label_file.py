"""The published labels as JSON lines, by which boards of topics can be computed from the export of votes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.row_files.row_file import open_rows
from arena.adapters.row_files.rows import mapping
from arena.adapters.store import labels
from arena.domain.errors import Invalid
from arena.domain.terms import JsonObject

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database


async def label_pages(database: Database) -> AsyncIterator[bytes]:
    """All labels except those of erased votes, in pieces that are each read in a transaction of its own."""
    number = 0
    while result := await database.read(_page, number):
        number, piece = result
        yield piece


def _page(session: Session, after: int) -> tuple[int, bytes] | None:
    rows = labels.public_after(session, after)
    return (rows[-1].number, b"".join(map(labels.line, rows))) if rows else None


def read_labels(path: Path, head: JsonObject) -> dict[int, list[str]]:
    """The labels of votes from a file, by the source and up to the last label in the `head` of a board.

    Raises:
        Invalid: The file cannot be read, or ends before that label.
    """
    values: dict[int, list[str]] = {}
    last = 0
    try:
        with open_rows(path) as file:
            for _, value in file.json_lines():
                row = mapping(value)
                if row["number"] <= head["last"] and all(row[name] == head[name] for name in _SOURCE):
                    last = row["number"]
                    values |= {row["vote"]: row["values"]} if "vote" in row else {}
    except (ValueError, KeyError, TypeError):
        raise Invalid(f"{path}: not a file of labels.") from None
    if last < head["last"]:
        raise Invalid(f"{path}: label {head['last']} is missing; get the file again.")
    return values


_SOURCE = ("set", "labeller", "version")
