"""Telephone numbers: international ones, those in a national format, and those after a word such as "phone"."""

from __future__ import annotations

import re
from typing import Final

from phonenumbers import Leniency, PhoneNumberMatcher

_NATIONAL: Final = re.compile(
    # Chinese mobile and fixed lines, mobile lines of Taiwan.
    r"(?<![\w.])(?:(?:(?:\+|00)?86[ -]?)?1[3-9]\d(?:[ .-]?\d{4}[ .-]?\d{4}|\d[ .-]\d{3}[ .-]\d{4}|[ .-]\d{3}[ .-]\d{5})|09\d\d-?\d{3}-?\d{3}"
    r"|09\d\d[ -]\d{3}[ -]\d{3}|\(?0\d{1,4}\)?(?:[ /-]|(?<=\)))\d{3,4}[ -]?\d{4})(?!\w|\.\d|-\d)"
    # With a country code, and in the formats of North America and Europe.
    r"|(?<![\w+])\+\d{1,3}[ .-]?(?:\(0?\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){2,4}(?![\w]|[.-]\d)"
    r"|(?<![\w.+-])(?:1[ .-])?(?:\([2-9]\d\d\) ?|[2-9]\d\d([ .-]))[2-9]\d\d(?(1)\1|[ .-])\d{4}(?!\w|[.-]\d)"
    r"|(?<![\w.+-])555[ .-]01\d\d(?!\w)"
    r"|(?<![\w.])0\d{4} \d{6}(?!\w)|(?<![\w.])0\d{3} \d{3} \d{4}(?!\w)|(?<![\w.])07\d{3} ?\d{6}(?!\w)"
    r"|(?<![\w.])0[1-9](?:([ .-])\d\d)(?:\2\d\d){3}(?!\w)|(?<![\w.])(?:\(0\d{2,4}\)|0\d{2,4}) ?[ /-] ?\d{5,8}(?!\w|[.-]\d)",
    re.ASCII,
)
_ANNOUNCED: Final = re.compile(
    r"(?:(?<![a-z])(?:tele)?phone|(?<![a-z])(?:mobile|cell|tel|fax|whatsapp|viber|handy|rufnummer|sms|number is|(?:call|ring|text|phone|reach|dial)(?: (?:me|us|him|her|my \w+))?"
    r"|reached|contact)(?![a-z])|(?<![a-я])тел(?:ефон\w*)?|звоните|номер|电话|手机|座机|微信|热线"
    r"|联系方式|联络方式|联系我|电联|致电|拨打|号码|هاتف|جوال|رقم)"
    r"[^\d\n]{0,24}((?:\(?\+?\d[\d() ./-]{5,18})\d)(?![a-z0-9_]|\.\d)"
)
_DIGITS: Final = range(7, 16)
_SEVEN_DIGITS: Final = re.compile(r"\d(?:[ ()./-]{0,2}\d){6}")


def holds_phone(text: str) -> bool:
    """Whether there is a telephone number in a normalised text in lower case."""
    if _SEVEN_DIGITS.search(text) is None:
        return False
    return _NATIONAL.search(text) is not None or _has_announced(text) or _has_international(text)


def _has_announced(text: str) -> bool:
    return any(sum(sign.isdigit() for sign in match[1]) in _DIGITS for match in _ANNOUNCED.finditer(text))


def _has_international(text: str) -> bool:
    return "+" in text and any(PhoneNumberMatcher(text, None, leniency=Leniency.VALID, max_tries=1_000))
