"""Normalisation of texts before the detectors of personal data read them."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from arena.domain.chinese_script import SIMPLIFIED
from arena.domain.text import INVISIBLE

_NUMERALS: Final = str.maketrans("〇零○一二三四五六七八九壹贰叁肆伍陆柒捌玖貳參陸幺", "00012345678912345678923" + "61")
_CHINESE: Final = re.compile(r"[〇零○一二三四五六七八九壹贰叁肆伍陆柒捌玖貳參陸幺]{3,}")
_APART: Final = re.compile(r"(?<![\w.,])\d(?: \d){6,}(?![\w.,])")
_DASHES: Final = re.compile(r"[\u2010-\u2015\u2212\u30fc]")
_WORDS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "oh")
_WORD: Final = rf"(?:{'|'.join(_WORDS)})"
_SPOKEN: Final = re.compile(
    rf"(?<![A-Za-z])(?:(?:double |triple )?{_WORD}[ ,.-]{{1,2}}){{6,}}{_WORD}(?![A-Za-z])", re.IGNORECASE
)
_REPEATED: Final = re.compile(rf"(double|triple) ({_WORD})")
_SPACES: Final = re.compile(r"[^\S\n]+")


def normalised(text: str) -> str:
    """The text in NFKC form and simplified Chinese, with ASCII digits, dashes and spaces, no invisible characters.

    Three consecutive Chinese or seven English numerals become digits; seven digits with single spaces are joined.
    """
    plain = INVISIBLE.sub("", unicodedata.normalize("NFKC", INVISIBLE.sub("", text)))
    plain = plain if plain.isascii() else _latin(plain)
    plain = _SPOKEN.sub(lambda match: _digits(match[0].lower()), _SPACES.sub(" ", plain))
    return _APART.sub(lambda match: match[0].replace(" ", ""), plain)


def _digits(words: str) -> str:
    """The digits of "five five five, oh one two three"."""
    single = _REPEATED.sub(lambda match: f"{match[2]} " * (2 if match[1] == "double" else 3), words)
    return "".join(str(_WORDS.index(word) % 10) for word in re.findall(_WORD, single))


def _latin(text: str) -> str:
    digits = "".join(str(unicodedata.digit(sign)) if sign.isdecimal() else sign for sign in text).translate(SIMPLIFIED)
    return _CHINESE.sub(lambda match: match[0].translate(_NUMERALS), _DASHES.sub("-", digits))
