"""Refused rows of imported files, questions of the same text, and unused columns, on standard error."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Final

from arena.adapters.row_files.rows import shown
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_KINDS: Final = 20
_WORDS: Final = 3
_LINE: Final = re.compile(r"^(.*?, )?line \d+: ")
_VALUES: Final = re.compile(r"'[^']*'|\"[^\"]*\"|\d+")


def print_refused(rows: Sequence[object]) -> None:
    """Print the first refused row of each kind of reason, the most frequent first, and how many are like it."""
    kinds: dict[str, list[str]] = {}
    for row in map(str, rows):
        kinds.setdefault(_kind(row), []).append(row)
    by_number = sorted(kinds.values(), key=len, reverse=True)
    for first, *others in by_number[:MAX_KINDS]:
        more = f" (and {amount(len(others), 'row')} like it)" if others else ""
        print(f"{first}{more}", file=sys.stderr)
    if rest := sum(map(len, by_number[MAX_KINDS:])):
        print(f"and {amount(rest, 'more refused row')}", file=sys.stderr)


def print_same_text(places: Sequence[tuple[str, int]]) -> None:
    """Print how many questions have a text that another one has too, with the first lines."""
    if not places:
        return
    is_one_file = len({file for file, _ in places}) == 1
    lines = [str(line) if is_one_file else f"{file} {line}" for file, line in places[:MAX_KINDS]]
    lines += ["…"] if len(places) > MAX_KINDS else []
    questions = amount(len(places), "question")
    print(f"{questions} with the same text as another one (lines {', '.join(lines)}).", file=sys.stderr)


def print_unused(columns: Sequence[str], remedy: str = "") -> None:
    """Print the columns of tables that were not used, with what takes one, if something does."""
    if columns:
        names = ", ".join(map(shown, columns))
        print(f"Left unused: {amount(len(columns), 'column')} ({names}){remedy}.", file=sys.stderr)


def _kind(row: str) -> str:
    """The reason of a row without its line, its numbers and its values: the field, and the words that begin it."""
    field, _, reason = _LINE.sub("", row).partition(": ")
    return " ".join([field, *_VALUES.sub("…", reason).split()[:_WORDS]])
