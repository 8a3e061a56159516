"""Telephone numbers: international ones, those written as a country writes them, and those that a word announces."""

from __future__ import annotations

import re
from typing import Final

from phonenumbers import Leniency, PhoneNumberMatcher

_CHINESE_MOBILE: Final = re.compile(r"(?<![\w.])(?:(?:\+|00)?86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?!\w|\.\d)")
_TAIWANESE_MOBILE: Final = re.compile(r"(?<![\w.])09\d\d-?\d{3}-?\d{3}(?!\w|\.\d)")
_ANNOUNCED: Final = re.compile(
    r"(?:\b(?:phone|mobile|cell|tel|telephone|fax|whatsapp|call (?:me|us|him|her)|text me|reach me|dial|"
    r"тел|телефон\w*|звоните|номер)\b|电话|電話|手机|手機|座机|座機|微信|热线|联系方式|聯絡方式|هاتف|جوال|رقم)"
    r"[^\d\n]{0,24}((?:\(?\+?\d[\d() .-]{5,18})\d)",
    re.IGNORECASE,
)
_DIGITS: Final = range(7, 16)


def holds_phone(text: str) -> bool:
    """Whether there is a telephone number in a normalised text."""
    return bool(
        _CHINESE_MOBILE.search(text)
        or _TAIWANESE_MOBILE.search(text)
        or _announced(text)
        or _written(text, None, Leniency.VALID)
        or _written(text, "US", Leniency.EXACT_GROUPING)
    )


def _announced(text: str) -> bool:
    return any(sum(sign.isdigit() for sign in found[1]) in _DIGITS for found in _ANNOUNCED.finditer(text))


def _written(text: str, region: str | None, leniency: int) -> bool:
    if region is None and "+" not in text:
        return False
    found = PhoneNumberMatcher(text, region, leniency=leniency, max_tries=1_000)
    return any(region is None or not match.raw_string.isdigit() for match in found)
