"""Texts that a page's source has in an encoded form, decoded for the search for names."""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from html import unescape
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterator

_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{8,4000}={0,2}")
_ESCAPE: Final = re.compile(r"\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})", re.IGNORECASE)
_CSS_ESCAPE: Final = re.compile(r"\\([0-9a-f]{2,6})[ ]?", re.IGNORECASE)
_JOINED: Final = re.compile(r"([\"'`])\s{0,9}\+\s{0,9}([\"'`])")
_TAG: Final = re.compile(r"<[^<>]{1,2000}>")
_LAST: Final = 0x10FFFF
_WRONG: Final = "\ufffd"
"""Replacement for invalid UTF-8; an exception for every ordinary word would take four times as long."""


def hidden_texts(source: str) -> list[str]:
    """The source with decoded character references, also with decoded escapes and without tags; texts in its base64."""
    plain = unescape(source)
    escaped = _CSS_ESCAPE.sub(_character, _ESCAPE.sub(_character, plain))
    joined = _JOINED.sub("", escaped)
    return [plain, unquote(joined), _TAG.sub("", plain), *_decoded(source)]


def _character(match: re.Match[str]) -> str:
    code = int(next(filter(None, match.groups())), 16)
    return chr(code) if 0 < code <= _LAST and not 0xD800 <= code < 0xE000 else match[0]  # surrogates


def _decoded(source: str) -> Iterator[str]:
    """Texts in base64."""
    for word in _BASE64.findall(source):
        bare = word.rstrip("=")
        try:
            text = a2b_base64(bare + "=" * (-len(bare) % 4)).decode(errors="replace")
        except Error:
            continue
        if text.isprintable() and _WRONG not in text:
            yield text
