"""Language detection of prompts, for leaderboards by language."""

from __future__ import annotations

import re
import threading
from functools import cache
from typing import TYPE_CHECKING, Final

from arena.domain.labels.language_tables import classifier

if TYPE_CHECKING:
    from arena.domain.labels.language_tables import Classifier

LANGUAGES: Final = (
    *("ar", "de", "en", "es", "fr", "hi", "id", "it", "ja"),
    *("ko", "nl", "pl", "pt", "ru", "th", "tr", "vi", "zh"),
)
SAMPLE: Final = 2_000
"""Characters that are examined; more would not change the result."""

_OTHER_SCRIPTS: Final = frozenset({"ar", "hi", "ja", "ko", "ru", "th", "zh"})
_LOCK = threading.Lock()
_HAN = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_LETTER = re.compile(r"[^\W\d_]")


def detect(text: str) -> str:
    """An ISO 639-1 code of `LANGUAGES`, or `other` for text without letters.

    Text without kana whose letters are at least one fifth Han is Chinese: a Chinese question about an English name is
    still Chinese. Everything else is classified by py3langid (naive Bayes over byte n-grams).
    """
    sample = text[:SAMPLE]
    letters = len(_LETTER.findall(sample))
    if not letters:
        return "other"
    if not _KANA.search(sample) and len(_HAN.findall(sample)) * 5 >= letters:
        return "zh"
    # py3langid uses a global object, and prompts are classified in several threads.
    with _LOCK:
        language = _classifier()(sample)[0]
    # A short ASCII text like "hi" has no n-gram known to the classifier, whose answer is then arbitrary.
    return "en" if sample.isascii() and language in _OTHER_SCRIPTS else language


def is_loaded() -> bool:
    """Whether `detect` answers at once; its first call ever takes a second."""
    return _classifier.cache_info().currsize > 0


@cache
def _classifier() -> Classifier:
    return classifier(LANGUAGES)
