"""Cells of CSV that spreadsheets show as they are."""

from __future__ import annotations

from typing import Final, TypeVar

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
"""First characters of formulas in spreadsheets."""

T = TypeVar("T")


def plain_cell(value: T) -> T | str:
    """The value, as a text that begins like a formula with an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value
