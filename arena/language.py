"""Which language a prompt is in, for the categories of the leaderboard."""

from __future__ import annotations

import re
import threading
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

LANGUAGES: Final = (
    *("ar", "de", "en", "es", "fr", "hi", "id", "it", "ja"),
    *("ko", "nl", "pl", "pt", "ru", "th", "tr", "vi", "zh"),
)
SAMPLE: Final = 2_000
"""Characters that are looked at; more would not change the answer."""

_OTHER_SCRIPTS: Final = frozenset({"ar", "hi", "ja", "ko", "ru", "th", "zh"})
_ONE_AT_A_TIME = threading.Lock()
_HAN = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_LETTER = re.compile(r"[^\W\d_]")


def detect(text: str) -> str:
    """An ISO 639-1 code of `LANGUAGES`, or `other` where there is no letter to judge by.

    Han without kana is Chinese as soon as it makes up a fifth of the letters: a Chinese question about
    an English name is still Chinese. The rest is left to py3langid (naive Bayes over byte n-grams).
    """
    sample = text[:SAMPLE]
    letters = len(_LETTER.findall(sample))
    if not letters:
        return "other"
    if not _KANA.search(sample) and len(_HAN.findall(sample)) * 5 >= letters:
        return "zh"
    # The library loads into and works on one global object, and prompts are looked at in several threads.
    with _ONE_AT_A_TIME:
        language = _identifier()(sample)[0]
    # A word like "hi" has no n-gram the classifier knows, so its answer is none.
    return "en" if sample.isascii() and language in _OTHER_SCRIPTS else language


@cache
def _identifier() -> Callable[[str], tuple[str, float]]:
    # It costs a second, so only who needs it pays.
    import py3langid  # noqa: PLC0415  # pyright: ignore[reportMissingTypeStubs]

    library: Any = py3langid
    library.set_languages(list(LANGUAGES))
    return library.classify
