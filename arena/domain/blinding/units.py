"""Units of text, the measure of the pace in every language.

A Han, kana or Hangul character counts two units, as it says about as much as two letters; any other character one.
"""

from __future__ import annotations

import re
from typing import Final

_WIDE_CHARACTER: Final = re.compile(
    r"[\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    r"\uf900-\ufaff\uff66-\uffdc\U0001b000-\U0001b16f\U00020000-\U000323af]"
)


def units_of(text: str) -> int:
    """The number of units of a text."""
    return len(text) if text.isascii() else len(text) + len(_WIDE_CHARACTER.findall(text))


def prefix_length(text: str, units: int) -> int:
    """The number of leading characters of a text that fit into `units`."""
    if text.isascii():
        return min(units, len(text))
    end = 0
    while units > 1 and end < len(text):
        # Half as many characters as units always fit; each round at least halves the rest.
        piece = text[end : end + units // 2]
        end, units = end + len(piece), units - units_of(piece)
    return end + (units == 1 and units_of(text[end : end + 1]) == 1)
