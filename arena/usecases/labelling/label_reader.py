"""Reader of the published labels, by which boards of topics can be computed from the export of votes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.row_files.row_file import open_rows
from arena.adapters.row_files.rows import mapping
from arena.domain.errors import Invalid
from arena.domain.terms import JsonObject

if TYPE_CHECKING:
    from pathlib import Path


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
