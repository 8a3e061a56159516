"""Redaction of an endpoint's text: its key, verbatim, escaped, or truncated at the end, and what looks like another."""

from __future__ import annotations

import html
import re
from typing import Final
from urllib.parse import unquote

REDACTED: Final = "[key]"
_MIN_PREFIX: Final = 6
"""Minimum length of a key's prefix that is redacted at the end of the text."""
_LINE_LIMIT: Final = 500
_TOKENS: Final = re.compile(
    r"\bbearer\s+[^\s\"',;]+|\b(?:sk|pk|gsk|xai|hf|r8|arena)[-_][\w-]{12,}|\bAIza[\w-]{20,}", re.IGNORECASE | re.ASCII
)
"""Bearer tokens, and keys in the form of well-known vendors: a gateway may quote its own."""
_ESCAPED: Final = re.compile(r"\\+u[0-9a-fA-F]{4}|\\+|(?:%[0-9a-fA-F]{2})+|&#?\w{1,8};")
"""Escape sequences of JSON, URLs and HTML."""


def one_line(text: str, key: str | None) -> str:
    """One short printable line without keys."""
    line = _TOKENS.sub(REDACTED, redact(text, key))
    return " ".join("".join(letter if letter.isprintable() else " " for letter in line).split())[:_LINE_LIMIT]


def redact(text: str, key: str | None) -> str:
    """The text without the key."""
    if not key:
        return text
    text = text.replace(key, REDACTED)
    content, spans = _unescape_all(text)
    key = key.replace("\\", "")
    pieces: list[str] = []
    tail = end = 0
    while key and (start := content.find(key, end)) >= 0:
        end = start + len(key)
        pieces += [text[tail : spans[start][0]], REDACTED]
        tail = spans[end - 1][1]
    if (start := _truncated_key(content.rstrip(), key)) is not None and start >= end:
        return "".join([*pieces, text[tail : spans[start][0]], REDACTED])
    return "".join([*pieces, text[tail:]])


def _truncated_key(content: str, key: str) -> int | None:
    """Index of a prefix of the key that ends the text, or None."""
    for length in range(min(len(key) - 1, len(content)), _MIN_PREFIX - 1, -1):
        if content.endswith(key[:length]):
            return len(content) - length
    return None


def _unescape_all(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without escapes, and the span of each character in the original."""
    letters: list[str] = []
    spans: list[tuple[int, int]] = []
    tail = 0
    for match in _ESCAPED.finditer(text):
        letters += text[tail : match.start()]
        spans += [(place, place + 1) for place in range(tail, match.start())]
        tail = match.end()
        characters = _unescape(match[0])
        letters += characters
        spans += [match.span()] * len(characters)
    letters += text[tail:]
    spans += [(place, place + 1) for place in range(tail, len(text))]
    return "".join(letters), spans


def _unescape(escape: str) -> str:
    if escape.startswith("\\"):
        return chr(int(escape[-4:], 16)) if escape[-5:-4] == "u" else ""
    return unquote(escape) if escape.startswith("%") else html.unescape(escape)
