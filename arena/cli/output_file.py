"""Output of a command: a file, or standard output where the name is `-`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from arena.domain.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


def write_out(content: bytes, file: Path) -> None:
    """Write UTF-8 text to `file`.

    Raises:
        Invalid: The file cannot be written.
    """
    if str(file) == "-":
        sys.stdout.write(content.decode())
        return
    try:
        file.write_bytes(content)
    except OSError as error:
        raise Invalid(f"{file}: {error.strerror}.") from None


async def stream_out(pieces: AsyncIterator[bytes], file: Path) -> None:
    """Write pieces of UTF-8 text to `file` as they come, so that a long one is never in memory whole.

    Raises:
        Invalid: The file cannot be written.
    """
    if str(file) == "-":
        async for piece in pieces:
            sys.stdout.write(piece.decode())
        return
    try:
        with file.open("wb") as out:
            async for piece in pieces:
                out.write(piece)
    except OSError as error:
        raise Invalid(f"{file}: {error.strerror}.") from None
