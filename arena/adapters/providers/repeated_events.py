"""Events that differ from an earlier one in their text alone, read without parsing each.

Most servers send the same JSON for every token, with another text in it. What surrounds the text is learnt from an
event that was parsed; the bytes of a frame that repeat it exactly have the same meaning, so they need only be split.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from arena.adapters.providers.transport.sse import LINE_LIMIT

if TYPE_CHECKING:
    from arena.adapters.providers.transport.sse import Event

_TRIES: Final = 8
"""Events learnt from one after the other before a server is taken for one that never repeats itself."""
_SPECIAL: Final = re.compile(rb'["\\\x00-\x1f]')
"""Bytes that a JSON string does not hold as they are; the ends of lines are among them."""


class Repeats:
    """The learnt surroundings of the text in the events of one stream."""

    def __init__(self) -> None:
        self._before = self._after = b""
        self._left = _TRIES

    def learn(self, event: Event, field: str, text: str) -> None:
        """Learn from an event whose only effect was to add `text`, the value of its JSON field `field`."""
        if self._left <= 0:
            return
        self._left -= 1
        name = f'"{field}"'
        # Without a backslash a string is written in one way only; a field that is named once is the one that was read.
        plain = "\\" not in event.data and "\n" not in event.data and event.data.count(name) == 1
        for colon in (":", ": ") if plain else ():
            before, found, after = event.data.partition(f'{name}{colon}"{text}"')
            if found:
                head = "" if event.name == "message" else f"event: {event.name}\n"
                self._before = f'{head}data: {before}{name}{colon}"'.encode()
                self._after = f'"{after}\n\n'.encode()

    def split(self, data: bytes) -> list[str] | None:
        """The texts of the events that are `data`; None if these bytes are not the learnt ones around texts.

        The bytes must begin where an event begins.
        """
        before, after = self._before, self._after
        if not before or not data.startswith(before) or not data.endswith(after) or len(data) > LINE_LIMIT:
            return None
        pieces = data[len(before) : -len(after)].split(after + before)
        if any(map(_SPECIAL.search, pieces)):
            return None
        try:
            texts = [piece.decode() for piece in pieces]
        except UnicodeDecodeError:
            return None
        self._left = _TRIES
        return texts
