"""The mark of an organisation: its initials in a colour that belongs to its name. Nothing is fetched from elsewhere."""

from __future__ import annotations

import re
from functools import reduce
from typing import Final

_COLOURS: Final = 8
_HAN: Final = re.compile(r"[\u3400-\u9fff]")


def initials(owner: str) -> str:
    """Return the first letters of the first two words, or the first character of a Chinese name."""
    words = [word for word in re.split(r"[\s\-_.]+", owner) if any(map(str.isalnum, word))]
    return "".join(word[0].upper() for word in words[: 1 if words and _HAN.match(words[0]) else 2]) or "?"


def colour(owner: str) -> int:
    """Return the number of the colour of a name, the same on every page."""
    return reduce(lambda total, sign: (total * 31 + ord(sign)) % 2**32, owner, 7) % _COLOURS
