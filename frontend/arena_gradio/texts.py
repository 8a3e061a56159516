"""Texts of the app in its languages."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final

PATHS: Final = {"en": "", "zh": "zh", "zh-TW": "zh-tw"}
"""Of each language the path of its page."""


class AppTexts:
    """All texts of a language, by key."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._table = _tables()[language]

    def __call__(self, key: str, **values: object) -> str:
        """Return a text with its blanks filled."""
        return self._table[key].format(**values) if values else self._table[key]

    def named(self, key: str, word: str) -> str:
        """Return the text `key.word`, or the word itself if there is none."""
        return self._table.get(f"{key}.{word}", word)


@cache
def _tables() -> dict[str, dict[str, str]]:
    return json.loads((Path(__file__).parent / "locales.json").read_text(encoding="utf-8"))
