"""Reading numbers as people write them, and writing them so that people can read them."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

Number = Fraction | float

_DIGIT: Final = {sign: place for place, sign in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "壹": 1,
    "贰": 2,
    "叁": 3,
    "肆": 4,
    "伍": 5,
}
_TEN: Final = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
_MYRIAD: Final = {"万": 10**4, "亿": 10**8}
_HAN_NUMBER = re.compile(
    r"(?:(?:[零〇一二三四五六七八九十百千万亿壹贰叁肆伍拾佰仟]|(?<![一二三四五六七八九十])两)(?:[零〇一二三四五六七八九十百千万亿壹贰叁肆伍拾佰仟]|(?<=[百千万亿零])两){0,19})"
    r"(?:点[零〇一二三四五六七八九]{1,12})?"
)
_MIXED = re.compile(r"(\d{1,20}(?:\.\d{1,10})?)\s?([百千万亿])(?![克米瓦焦卡里])")
_PLACE: Final = {**_TEN, **_MYRIAD}
_PERCENT = re.compile(r"百分之(\d{1,9}(?:\.\d{1,9})?|[零一二两三四五六七八九十百点]{1,10})")
_EXACT: Final = 10
"""Decimal places up to which a finite decimal is shown in full."""
_LONG: Final = 80
"""Longest whole number, with its commas, that is written out."""
_BIG: Final = 10**15


def with_digits(text: str) -> str:
    """The text with Chinese numerals as digits: 一百二十 → 120, 3万 → 30000, 百分之五 → 5%."""
    text = _PERCENT.sub(lambda match: f"{_value(match.group(1))}%", text)
    text = _MIXED.sub(lambda match: shown(Fraction(match.group(1)) * _PLACE[match.group(2)], commas=False), text)
    return _HAN_NUMBER.sub(lambda match: _value(match.group()), text)


def _value(text: str) -> str:
    if text[:1].isdigit():
        return text
    whole, _, decimals = text.partition("点")
    return str(_whole(whole)) + ("." + "".join(str(_DIGIT[sign]) for sign in decimals) if decimals else "")


def _whole(text: str) -> int:
    """一万二千零三 → 12003; plain digits (二〇二四) stand side by side."""
    if not any(sign in _TEN or sign in _MYRIAD for sign in text):
        return int("".join(str(_DIGIT[sign]) for sign in text))
    total, section, digit = 0, 0, 0
    for sign in text:
        if sign in _DIGIT:
            digit = _DIGIT[sign]
        elif sign in _TEN:
            section, digit = section + (digit or 1) * _TEN[sign], 0
        elif sign == "亿":
            total, section, digit = (total + section + digit or 1) * _MYRIAD[sign], 0, 0
        else:
            total, section, digit = total + (section + digit or 1) * _MYRIAD[sign], 0, 0
    return total + section + digit


def shown(value: Number, *, commas: bool = True) -> str:
    """A number for people: thousands apart, finite decimals in full, all else to nine significant digits."""
    if isinstance(value, float):
        return _rounded(value, commas=commas)
    if value.denominator == 1:
        text = f"{value.numerator:,}" if commas else str(value.numerator)
        return text if len(text) <= _LONG else _powered(str(abs(value.numerator)), negative=value < 0)
    if is_exact(value):
        whole, decimals = divmod(abs(value) * 10**_EXACT, 10**_EXACT)
        written = f"{whole:,}" if commas else str(whole)
        return f"{'-' if value < 0 else ''}{written}.{int(decimals):0{_EXACT}}".rstrip("0")
    try:
        return _rounded(float(value), commas=commas)
    except OverflowError:
        return shown(Fraction(round(value)), commas=commas)


def is_exact(value: Number) -> bool:
    """Whether `shown` gives every digit."""
    if isinstance(value, float):
        return False
    if value.denominator == 1:
        return len(f"{value.numerator:,}") <= _LONG
    return (value * 10**_EXACT).denominator == 1 and abs(value) < _BIG


def _powered(digits: str, *, negative: bool) -> str:
    return f"{'-' if negative else ''}{digits[0]}.{digits[1:9].rstrip('0') or '0'} × 10^{len(digits) - 1}"


def _rounded(value: float, *, commas: bool) -> str:
    if value and not 1e-6 <= abs(value) < 1e15:  # noqa: PLR2004 - beyond, zeros hide the digits
        head, _, power = f"{value:.8e}".partition("e")
        return f"{head.rstrip('0').rstrip('.')} × 10^{int(power)}"
    places = max(0, 9 - len(str(int(abs(value)))))
    text = f"{value:,.{places}f}" if commas else f"{value:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
