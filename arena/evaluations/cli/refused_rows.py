"""Refused rows of imported files on standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST: Final = 20


def print_refused(rows: Sequence[object]) -> None:
    """Print the first refused rows, and the number of the others."""
    for row in rows[:_MOST]:
        print(row, file=sys.stderr)
    if len(rows) > _MOST:
        print(f"and {amount(len(rows) - _MOST, 'more refused row')}", file=sys.stderr)
