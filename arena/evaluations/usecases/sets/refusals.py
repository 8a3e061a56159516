"""The refusal of a file without a question; this module loads no reader of files, which no route may come to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from arena.adapters.row_files.rows import Refusal, shown
from arena.domain.errors import Invalid

MAX_REFUSALS: Final = 20
"""Most refused rows that are handed over; the others are counted."""


def no_question(path: Path, refused: Sequence[Refusal], unused: Sequence[str] = ()) -> Invalid:
    """The error of a file without a question, with the first refused row and the columns that were not used."""
    if not refused:
        return Invalid(f"{path}: there is no question.", rule="no_question")
    row = refused[0]
    sentence = f"{path}: there is no question: {row}."
    params: Any = {f"row_{name}": value for name, value in (row.params or {}).items()}
    if not unused:
        return Invalid(sentence, rule="no_usable_row", line=row.line, reason=row.reason, **params)
    names = [shown(name) for name in unused]
    sentence = f"{sentence} Left unused: {', '.join(names)}."
    return Invalid(sentence, rule="no_row_of_columns", line=row.line, reason=row.reason, names=names, **params)
