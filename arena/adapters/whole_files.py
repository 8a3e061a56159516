"""Files that appear only when they are complete, so that an interrupted command leaves none that is cut off."""

from __future__ import annotations

import hashlib
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from arena.domain.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path
    from typing import BinaryIO


@contextmanager
def whole_file(path: Path) -> Generator[BinaryIO]:
    """Open a file for writing that replaces `path` at the end of the block; if the block fails, `path` is unchanged.

    Raises:
        Invalid: The file cannot be written, or `path` is not a regular file.
    """
    if path.exists() and not path.is_file():  # replacing /dev/null would take it from the whole machine
        raise Invalid(f"{path} is not a file; `-` writes to standard output.")
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        part.replace(path)
    except OSError as error:
        raise Invalid(f"{path}: {error.strerror or error}.") from None
    finally:
        part.unlink(missing_ok=True)


def file_digest(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
