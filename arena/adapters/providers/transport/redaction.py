"""Redaction of a key from an endpoint's text: verbatim, escaped, or truncated at the end of the text."""

from __future__ import annotations

import html
import re
from typing import Final
from urllib.parse import unquote

REDACTED: Final = "[key]"
_MIN_PREFIX: Final = 6
"""Minimum length of a key's prefix that is redacted at the end of the text."""
_ESCAPED: Final = re.compile(r"\\+u[0-9a-fA-F]{4}|\\+|(?:%[0-9a-fA-F]{2})+|&#?\w{1,8};")
"""Escape sequences of JSON, URLs and HTML."""


def redact(words: str, key: str | None) -> str:
    """The text without the key."""
    if not key:
        return words
    words = words.replace(key, REDACTED)
    plain, places = _unescape_all(words)
    key = key.replace("\\", "")
    left: list[str] = []
    read = at = 0
    while key and (found := plain.find(key, at)) >= 0:
        at = found + len(key)
        left += [words[read : places[found][0]], REDACTED]
        read = places[at - 1][1]
    if (cut := _truncated_key(plain.rstrip(), key)) is not None and cut >= at:
        return "".join([*left, words[read : places[cut][0]], REDACTED])
    return "".join([*left, words[read:]])


def _truncated_key(plain: str, key: str) -> int | None:
    """Start of a prefix of the key with which the text ends, or None."""
    for length in range(min(len(key) - 1, len(plain)), _MIN_PREFIX - 1, -1):
        if plain.endswith(key[:length]):
            return len(plain) - length
    return None


def _unescape_all(words: str) -> tuple[str, list[tuple[int, int]]]:
    """The text with escapes resolved, and the span in the original of each character."""
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
