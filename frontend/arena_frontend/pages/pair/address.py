"""Addresses of pairs: /pairs/X-vs-Y, one for each pair, whatever its names contain."""

from __future__ import annotations

import re
from urllib.parse import quote

_BETWEEN = "-vs-"
_INSIDE = re.compile(r"~|-(?=vs(?:-|$))")
_ESCAPED = re.compile(r"(~~)|-~")


def pair_address(one: str, other: str) -> str:
    """Return the address of two models, which is the same for the other two orders of them.

    Within a name `-vs-` is written `-~vs-` and `~` twice; slashes stay, as the last part of a path may have some.
    """
    first, second = sorted((one, other), key=lambda name: (name.lower(), name))
    return f"/pairs/{quote(_escape(first))}{_BETWEEN}{quote(_escape(second))}"


def pair_named(slug: str) -> tuple[str, str] | None:
    """Return the two names of the last part of an address; None if it is not that of a pair."""
    first, between, second = slug.partition(_BETWEEN)
    return (_unescape(first), _unescape(second)) if between and first and second else None


def _escape(name: str) -> str:
    return _INSIDE.sub(lambda match: "~~" if match[0] == "~" else "-~", name)


def _unescape(part: str) -> str:
    return _ESCAPED.sub(lambda match: "~" if match[1] else "-", part)
