"""Reasoning that a server leaves in the text of the answer, between tags at its beginning.

Most servers send reasoning in a field of its own, which the dialects pass over. Where nobody has told the server to
separate it, the model's own tags arrive as text, and they name the family of the model.
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
"""Characters of reasoning that are kept; the rest is dropped."""


class Thoughts:
    """What an endpoint has thought, up to a limit."""

    def __init__(self) -> None:
        self._kept = StringIO()
        self._room = THOUGHT_LIMIT

    def add(self, text: str) -> None:
        """Keep another piece, if there is room."""
        if text and self._room > 0:
            self._kept.write(text[: self._room])
            self._room -= len(text)

    def __str__(self) -> str:
        return self._kept.getvalue().strip()


class Visible:
    """Lets through what a voter may see; feed it the text in whatever pieces it comes. The rest are `thoughts`."""

    def __init__(self, thoughts: Thoughts) -> None:
        self._thoughts = thoughts
        self._space: list[str] = []
        self._held = ""
        self._until: str | None = None
        self._cut = False
        self._through = False

    def take(self, text: str) -> str:
        """The part that may be shown now; a beginning that could still become a tag is held back."""
        if self._through or not text:
            return text
        self._held += text
        while True:
            if self._until is None and not self._opened():
                return self._release()
            thought, end, rest = self._held.partition(self._until or "")
            if not end:
                # The tag itself may come in pieces; no more than that is held.
                kept = len(self._until or "")
                self._thoughts.add(thought[:-kept])
                self._held = thought[-kept:]
                return ""
            self._thoughts.add(thought)
            self._held, self._until, self._cut = rest, None, True

    def rest(self) -> str:
        """What was held back and turned out to be no tag, at the end of the answer."""
        return "" if self._until else self._take_all()

    def _opened(self) -> bool:
        """Move the space before the text aside; true if a tag follows."""
        text = self._held.lstrip()
        self._space.append(self._held[: len(self._held) - len(text)])
        self._held = text
        for tag, end in _TAGS.items():
            if text.startswith(tag):
                self._held, self._until = text.removeprefix(tag), end
                return True
        return False

    def _release(self) -> str:
        if any(tag.startswith(self._held) for tag in _TAGS):
            return ""
        self._through = True
        return self._take_all()

    def _take_all(self) -> str:
        """Space behind a tag belongs to the reasoning, space at the beginning of an answer to the answer."""
        space, held = "" if self._cut else "".join(self._space), self._held
        self._space, self._held = [], ""
        return space + held
