"""Bad rows of a file, on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.cli.terminal.progress import say
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.adapters.row_files.rows import BadRow

BAD_SHOWN: Final = 20
"""Bad rows that are printed; the others are counted."""


def say_bad_rows(rows: Sequence[BadRow], place: str = "") -> None:
    """Print the first bad rows, each after its `place`, and the number of the others."""
    for row in rows[:BAD_SHOWN]:
        say(f"{place}{row}")
    if len(rows) > BAD_SHOWN:
        say(f"and {amount(len(rows) - BAD_SHOWN, 'more bad row')}")
