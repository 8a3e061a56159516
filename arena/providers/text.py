"""Text that was cut into JSON strings: put right where a cut went through a character."""

from __future__ import annotations

import re
from typing import Final

_REPLACEMENT: Final = "\ufffd"
_TO_MEND: Final = re.compile("[\ud800-\udfff\x00]")


class TextMender:
    """Joins surrogate pairs that two chunks share; what no database or browser takes becomes U+FFFD."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """The part of the text so far that is safe to pass on."""
        text = self._held + piece
        self._held = ""
        if not _TO_MEND.search(text):
            return text
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._held = text[:-1], text[-1]
        text = text.replace("\0", _REPLACEMENT)
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def end(self) -> str:
        """What a half character at the very end becomes."""
        held, self._held = self._held, ""
        return _REPLACEMENT if held else ""
