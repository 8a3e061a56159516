"""The reasoning of an answer: from a separate field, which the dialects read, or from tags in its text (`marks`)."""

from __future__ import annotations

from io import StringIO
from typing import Final

THOUGHT_LIMIT: Final = 20_000
"""Most characters of reasoning; further ones are dropped."""


class Thoughts:
    """The reasoning of an answer, up to a limit."""

    def __init__(self) -> None:
        self._text = StringIO()
        self._room = THOUGHT_LIMIT
        self.pieces = 0
        """Number of pieces, including those beyond the limit."""

    def add(self, text: str) -> None:
        """Add a piece, up to the limit."""
        self.pieces += bool(text)
        if text and self._room > 0:
            self._text.write(text[: self._room])
            self._room -= len(text)

    def __str__(self) -> str:
        return self._text.getvalue().strip()
