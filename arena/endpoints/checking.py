"""Whether what somebody says of an endpoint fits; each refusal names the field."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from arena.errors import Invalid
from arena.text import one_line, well_formed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NAME_LIMIT: Final = 80
URL_LIMIT: Final = 500
ALIASES: Final = 20
ALIAS_LIMIT: Final = 60
SYSTEM_PROMPT_LIMIT: Final = 4_000
KEY_LIMIT: Final = 4_000
_SEPARATORS: Final = frozenset("?# \\")
"""Two readers of one URL disagree most where these stand."""


def check(fields: Mapping[str, Any]) -> None:
    """Look at every field that is there and not null.

    Raises:
        Invalid: One does not fit.
    """
    for field, value in fields.items():
        if value is not None and field in _CHECKS:
            _CHECKS[field](field, value)


def check_key(key: str) -> str:
    """The key without the line end that often stands behind it.

    Raises:
        Invalid: No header can carry it.
    """
    bare = key.strip()
    if not 1 <= len(bare) <= KEY_LIMIT or not bare.isascii() or not bare.isprintable():
        raise Invalid(f"key: 1 to {KEY_LIMIT:,} printable ASCII characters")
    return bare


def _url(field: str, url: str) -> None:
    try:
        parts = urlsplit(url)
        fits = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    else:
        fits = fits and _SEPARATORS.isdisjoint(url) and "@" not in parts.netloc
    if not fits or len(url) > URL_LIMIT or not url.isprintable():
        raise Invalid(f"{field}: an http or https address without user name, query or fragment")


def _number(field: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise Invalid(f"{field}: a number from {low:g} to {high:,.0f}")


def _aliases(field: str, aliases: tuple[str, ...] | list[str]) -> None:
    if len(aliases) > ALIASES:
        raise Invalid(f"{field}: {ALIASES} at most")
    for alias in aliases:
        one_line(field, alias, ALIAS_LIMIT)


def _text(field: str, text: str) -> None:
    if not text.strip() or len(text) > SYSTEM_PROMPT_LIMIT or well_formed(text) != text:
        raise Invalid(f"{field}: 1 to {SYSTEM_PROMPT_LIMIT:,} characters")


def _line(limit: int) -> Callable[[str, str], None]:
    return partial(one_line, limit=limit)


def _between(low: float, high: float) -> Callable[[str, float], None]:
    return partial(_number, low=low, high=high)


_CHECKS: Final[Mapping[str, Callable[[str, Any], None]]] = {
    "name": _line(NAME_LIMIT),
    "owner": _line(NAME_LIMIT),
    "url": _url,
    "link": _url,
    "wire_model": _line(200),
    "description_en": _line(500),
    "description_zh": _line(500),
    "licence": _line(80),
    "group": _line(40),
    "aliases": _aliases,
    "system_prompt": _text,
    "temperature": _between(0, 5),
    "top_p": _between(0, 1),
    "max_tokens": _between(1, 1_000_000),
    "weight": _between(0, 1_000),
    "billions": _between(0, 1_000_000),
    "daily_calls": _between(1, 1_000_000_000),
    "daily_tokens": _between(1, 1_000_000_000),
}
