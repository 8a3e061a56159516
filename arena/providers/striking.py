"""Striking a key out of what an endpoint says: as it is, as programs escape it, and where the words were cut in it."""

from __future__ import annotations

import html
import re
from typing import Final
from urllib.parse import unquote

STRUCK: Final = "[key]"
_TELLING: Final = 6
"""Letters of a key's beginning that are struck out at the end of the words."""
_ESCAPED: Final = re.compile(r"\\+u[0-9a-fA-F]{4}|\\+|(?:%[0-9a-fA-F]{2})+|&#?\w{1,8};")
"""How JSON, addresses and pages spell what they cannot hold as it is."""


def strike(words: str, key: str | None) -> str:
    """The words without the key."""
    if not key:
        return words
    words = words.replace(key, STRUCK)
    plain, places = _plain(words)
    key = key.replace("\\", "")
    left: list[str] = []
    read = at = 0
    while key and (found := plain.find(key, at)) >= 0:
        at = found + len(key)
        left += [words[read : places[found][0]], STRUCK]
        read = places[at - 1][1]
    if (cut := _cut(plain.rstrip(), key)) is not None and cut >= at:
        return "".join([*left, words[read : places[cut][0]], STRUCK])
    return "".join([*left, words[read:]])


def _cut(plain: str, key: str) -> int | None:
    """Where a beginning of the key starts in which the words end."""
    for length in range(min(len(key) - 1, len(plain)), _TELLING - 1, -1):
        if plain.endswith(key[:length]):
            return len(plain) - length
    return None


def _plain(words: str) -> tuple[str, list[tuple[int, int]]]:
    """The words without their escapes, and for each letter from where to where it was written."""
    letters: list[str] = []
    places: list[tuple[int, int]] = []
    read = 0
    for found in _ESCAPED.finditer(words):
        letters += words[read : found.start()]
        places += [(place, place + 1) for place in range(read, found.start())]
        read = found.end()
        said = _unescaped(found[0])
        letters += said
        places += [found.span()] * len(said)
    letters += words[read:]
    places += [(place, place + 1) for place in range(read, len(words))]
    return "".join(letters), places


def _unescaped(spelled: str) -> str:
    if spelled.startswith("\\"):
        return chr(int(spelled[-4:], 16)) if spelled[-5:-4] == "u" else ""
    return unquote(spelled) if spelled.startswith("%") else html.unescape(spelled)
