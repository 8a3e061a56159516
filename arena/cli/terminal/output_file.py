"""Output of a command: a file, or standard output where the name is `-`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from arena.adapters.whole_files import whole_file
from arena.cli.terminal.progress import progress

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


def write_out(content: bytes, file: Path) -> None:
    """Write UTF-8 text to `file`."""
    if str(file) == "-":
        sys.stdout.write(content.decode())
    else:
        with whole_file(file) as out:
            out.write(content)


async def stream_out(pieces: AsyncIterator[bytes], file: Path) -> None:
    """Write pieces of UTF-8 text to `file` as they come, so that a long one is never in memory whole."""
    if str(file) == "-":
        async for piece in pieces:
            sys.stdout.write(piece.decode())
        return
    lines = 0
    with whole_file(file) as out, progress("lines") as meter:
        async for piece in pieces:
            out.write(piece)
            lines += piece.count(b"\n")
            meter.reach(lines)
