"""Texts of the app in its languages."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final

PATHS: Final = {"en": "", "zh": "zh", "zh-TW": "zh-tw"}
"""Of each language the path of its page."""
_TRADITIONAL: Final = frozenset({"hant", "tw", "hk", "mo"})
"""Parts of a tag that say that its Chinese is written in traditional characters."""


class AppTexts:
    """All texts of a language, by key."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._table = _tables()[language]

    def __call__(self, key: str, **values: object) -> str:
        """Return a text with its blanks filled."""
        return self._table[key].format(**values) if values else self._table[key]

    def owner(self, name: str) -> str:
        """Return an owner's name, in the reader's language where the owner is no person."""
        return self._table.get(f"owner.{name}", name)

    def named(self, key: str, word: str) -> str:
        """Return the text `key.word`, or the word itself if there is none."""
        return self._table.get(f"{key}.{word}", word)


def preferred(accept: str) -> str:
    """Return the first language of a browser's Accept-Language that the app has; English if it has none."""
    for entry in accept.split(","):
        primary, *parts = entry.partition(";")[0].strip().lower().split("-")
        if primary == "zh":
            return "zh-TW" if _TRADITIONAL.intersection(parts) and "hans" not in parts else "zh"
        if primary in PATHS:
            return primary
    return "en"


@cache
def _tables() -> dict[str, dict[str, str]]:
    return json.loads((Path(__file__).parent / "locales.json").read_text(encoding="utf-8"))
