"""Names of files that strangers send: they tell the format, and become names on the arena's disk."""

from __future__ import annotations

import unicodedata
from typing import Final

from arena.domain.errors import Invalid

MAX_NAME_BYTES: Final = 255
"""Most bytes of a name in UTF-8, as file systems have it."""
_UNPRINTABLE: Final = frozenset({"Cc", "Cs"})
"""Unicode categories of control characters, with NUL, and of lone surrogates."""


def file_name(path: str) -> str:
    """The last part of a path from any system, as a safe name for a file.

    Raises:
        Invalid: It is empty, too long, consists of dots, or has control characters or lone surrogates.
    """
    name = path.replace("\\", "/").rpartition("/")[2]
    if not name.strip(". ") or any(unicodedata.category(character) in _UNPRINTABLE for character in name):
        raise Invalid("The file's name has letters or digits, and no control characters: rename it.")
    if len(name.encode()) > MAX_NAME_BYTES:
        raise Invalid(f"The file's name is longer than {MAX_NAME_BYTES} bytes: rename it.")
    return name
