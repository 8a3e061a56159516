"""Tables on standard output, as wide as the terminal, or 160 characters in a file."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.table import Table

_FILE: Final = 160


def show(*tables: Table) -> None:
    """Print tables; without a terminal they are not truncated to 80 characters."""
    console = Console()
    if not console.is_terminal:
        console.width = max(console.width, _FILE)
    for table in tables:
        console.print(table)
