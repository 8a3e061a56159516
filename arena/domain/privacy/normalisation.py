"""One spelling of numbers and signs, so that detectors need to know no other."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from arena.domain.text import INVISIBLE

_NUMERALS: Final = str.maketrans("〇零○一二三四五六七八九壹贰叁肆伍陆柒捌玖貳參陸幺", "00012345678912345678923" + "61")
_CHINESE: Final = re.compile(r"[〇零○一二三四五六七八九壹贰叁肆伍陆柒捌玖貳參陸幺]{3,}")
_APART: Final = re.compile(r"(?<![\w.,])\d(?: \d){6,}(?![\w.,])")
_DASHES: Final = re.compile(r"[\u2010-\u2015\u2212\u30fc]")
_SPACES: Final = re.compile(r"[^\S\n]+")


def normalised(text: str) -> str:
    """The text with ASCII digits, dashes and spaces only, no width and nothing invisible; lines stay.

    Chinese numerals become digits where three or more stand together, and digits with a space after each one number.
    """
    plain = INVISIBLE.sub("", unicodedata.normalize("NFKC", INVISIBLE.sub("", text)))
    plain = plain if plain.isascii() else _latin(plain)
    return _APART.sub(lambda found: found[0].replace(" ", ""), _SPACES.sub(" ", plain))


def _latin(text: str) -> str:
    digits = "".join(str(unicodedata.digit(sign)) if sign.isdecimal() else sign for sign in text)
    return _CHINESE.sub(lambda found: found[0].translate(_NUMERALS), _DASHES.sub("-", digits))
