"""Versions of what an operator edits, so that an edit of what another operator has changed meanwhile is refused."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from pydantic_core import to_json

from arena.domain.errors import SiteChanged
from arena.domain.site import KEYS, LANGUAGES, PLAIN, TRANSLATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic import JsonValue

    from arena.domain.schemas.site import SiteChangeRequest, SiteFileView

_LENGTH: Final = 12
"""Hexadecimal digits of a version."""


def values(site: SiteFileView) -> dict[str, JsonValue]:
    """The value of every key; None for a text that is not there."""
    file = site.model_dump(mode="json")
    return {key: _value(file | file["pages"], *key.split(".")) for key in KEYS}


def versions(site: SiteFileView) -> dict[str, str]:
    """A digest of the value of every key."""
    return {key: sha256(to_json(value)).hexdigest()[:_LENGTH] for key, value in values(site).items()}


def edited(request: SiteChangeRequest) -> list[str]:
    """The keys that a change has; an empty table has its text in every language."""
    plain = [name for name in PLAIN if getattr(request, name) is not None]
    texts = {name: getattr(request, name) for name in TRANSLATED} | dict(request.pages or {})
    return plain + [
        f"{name}.{language}" for name, table in texts.items() if table is not None for language in table or LANGUAGES
    ]


def check_versions(site: SiteFileView, seen: Mapping[str, str], keys: Iterable[str]) -> None:
    """Check that the keys to edit are as their editor has seen them; a key without a version is not checked.

    Raises:
        SiteChanged: Names those that are not.
    """
    now = versions(site)
    if stale := [key for key in keys if seen.get(key, now[key]) != now[key]]:
        raise SiteChanged(names=stale)


def _value(file: Mapping[str, JsonValue], name: str, language: str = "") -> JsonValue:
    value = file.get(name)
    if not language:
        return value
    return (value.get(language) if isinstance(value, dict) else None) or None
