"""Output of a command: a file, or standard output where the name is `-`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from arena.domain.errors import Invalid

if TYPE_CHECKING:
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
