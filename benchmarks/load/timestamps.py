"""Four-character timestamps in the text, from which a reader computes the age of a token.

All processes of a machine share the monotonic clock.
"""

from __future__ import annotations

import string
import time
from itertools import product
from typing import Final

UNITS: Final = 100_000
"""Ticks per second; a stamp wraps around after 167 s."""
TOKEN: Final = 5
"""Characters of a token: a stamp and a space."""
_ALPHABET: Final = string.ascii_letters + string.digits + "-_"
_PAIRS: Final = ["".join(pair) for pair in product(_ALPHABET, repeat=2)]
_VALUES: Final = {pair: value for value, pair in enumerate(_PAIRS)}
_HALF: Final = len(_PAIRS)
_ROUND: Final = _HALF * _HALF


def stamp() -> str:
    """The stamp of the present time."""
    high, low = divmod(int(time.monotonic() * UNITS) % _ROUND, _HALF)
    return _PAIRS[high] + _PAIRS[low]


def age(token: str, now: float) -> float:
    """Seconds from the stamp at the start of `token` to `now` on the monotonic clock."""
    send_time = _VALUES[token[:2]] * _HALF + _VALUES[token[2:4]]
    return (int(now * UNITS) - send_time) % _ROUND / UNITS
