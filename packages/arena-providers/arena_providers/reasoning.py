"""Removal of tagged reasoning at the start of an answer's text.

Most servers send reasoning in a separate field, which the dialects handle. Others send the model's tags as text, which
would disclose the model's family.
"""

from __future__ import annotations

from io import StringIO
from typing import Final

_TAGS: Final = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<seed:think>": "</seed:think>",
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
}


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


class VisibleText:
    """Filters the text of an answer, in pieces of any size; reasoning between tags goes to `thoughts`."""

    def __init__(self, thoughts: Thoughts) -> None:
        self._thoughts = thoughts
        self._space: list[str] = []
        self._buffer = ""
        self._until: str | None = None
        self._has_cut = False
        self.through = False
        """Whether the answer has begun, so that further text is shown unchanged."""

    def take(self, text: str) -> str:
        """The part that may be shown now; a prefix that could become a tag is held back."""
        if self.through or not text:
            return text
        self._buffer += text
        while True:
            if self._until is None and not self._opened():
                return self._release()
            hidden_text, end, tail = self._buffer.partition(self._until or "")
            if not end:
                # The closing tag may arrive in pieces, so its length is held back.
                length = len(self._until or "")
                self._thoughts.add(hidden_text[:-length])
                self._buffer = hidden_text[-length:]
                return ""
            self._thoughts.add(hidden_text)
            self._buffer, self._until, self._has_cut = tail, None, True

    def rest(self) -> str:
        """The text held back at the end of the answer, which was not a tag."""
        return "" if self._until else self._take_all()

    def _opened(self) -> bool:
        """Set leading white space aside; true if a tag follows."""
        text = self._buffer.lstrip()
        self._space.append(self._buffer[: len(self._buffer) - len(text)])
        self._buffer = text
        for tag, end in _TAGS.items():
            if text.startswith(tag):
                self._buffer, self._until = text.removeprefix(tag), end
                return True
        return False

    def _release(self) -> str:
        if any(tag.startswith(self._buffer) for tag in _TAGS):
            return ""
        self.through = True
        return self._take_all()

    def _take_all(self) -> str:
        """The buffered text, with leading white space unless it follows reasoning."""
        space, tail = "" if self._has_cut else "".join(self._space), self._buffer
        self._space, self._buffer = [], ""
        return space + tail
