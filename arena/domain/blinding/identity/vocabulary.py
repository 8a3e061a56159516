"""Common words of English and Chinese, which cannot identify a model.

`en.txt` and `zh.txt` hold words that answers on any topic use; in `zh.txt` single characters are function words.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from arena.domain.package_data import text_of

_HERE: Final = Path(__file__).parent
_INFLECTED: Final = re.compile(r"[a-z]{3,}(?:ing|ed|ly)")
"""Participles and adverbs, which may follow "I am" in any sentence."""
_LONGEST: Final = 5
"""Characters of the longest Chinese word in the list."""


def common(word: str) -> bool:
    """Whether a lower-case Latin word is a common English word."""
    return word in _words("en") or _INFLECTED.fullmatch(word) is not None


def common_han(term: str) -> bool:
    """Whether a run of Chinese characters consists of common words, or is a single character."""
    reached = {0}
    for end in range(1, len(term) + 1):
        if any(start in reached and term[start:end] in _words("zh") for start in range(max(0, end - _LONGEST), end)):
            reached.add(end)
    return len(term) == 1 or len(term) in reached


@cache
def _words(language: str) -> frozenset[str]:
    return frozenset(text_of(_HERE / f"{language}.txt").split())
