"""Output of a command: a file, or standard output where the name is `-`."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from arena.adapters.whole_files import whole_file
from arena.cli.terminal.progress import progress, say
from arena.domain.preference_pairs import WRITTEN
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import AsyncIterator, Callable, Generator
    from pathlib import Path


@contextmanager
def opened_output(file: Path) -> Generator[Callable[[bytes], object]]:
    """A function that writes UTF-8 text to `file`, piece by piece."""
    if str(file) == "-":
        yield lambda piece: sys.stdout.write(piece.decode())
        return
    with whole_file(file) as out:
        yield out.write


def say_pairs(counts: Counter[str]) -> None:
    """Say how many pairs of answers were written, and what was left out by reason, on standard error."""
    say(f"{amount(counts[WRITTEN], 'pair')} written.")
    for reason, number in sorted(counts.items()):
        if reason != WRITTEN:
            say(f"{number:6} left out: {reason}")


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
