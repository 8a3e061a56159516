"""Nesting depth of JSON from its bytes, without a recursive parser."""

from __future__ import annotations

import re
from typing import Final

# Possessive, and an open string runs to the end: no byte is looked at twice, whatever a stranger sends.
_STRINGS: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKETS: Final = re.compile(rb"[\[\]{}]")


def deeper(body: bytes, most: int) -> bool:
    """Whether arrays and objects in `body` are nested more than `most` levels deep; undefined for invalid JSON."""
    if body.count(b"[") + body.count(b"{") <= most:
        return False
    depth = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub(b"", body)):
        depth += 1 if bracket in b"[{" else -1
        if depth > most:
            return True
    return False
