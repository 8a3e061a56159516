"""Tables for people: as wide as the terminal, or wide enough for a file."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.table import Table

_FILE: Final = 160


def show(*tables: Table) -> None:
    """Print tables; where there is no terminal, nothing is cut to the width of one."""
    console = Console()
    if not console.is_terminal:
        console.width = max(console.width, _FILE)
    for table in tables:
        console.print(table)
