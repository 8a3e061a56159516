"""Numbers of one person, account or device, recognised by form and, where there are any, check digits.

Sources: `python-stdnum`, which cites the law of each country; Taiwan's and Hong Kong's are added here.
"""

from __future__ import annotations

import re
from operator import mul
from typing import TYPE_CHECKING, Final

from stdnum import iban, imei, luhn
from stdnum.br import cpf
from stdnum.cn import ric
from stdnum.es import dni
from stdnum.fr import nir
from stdnum.in_ import aadhaar
from stdnum.it import codicefiscale
from stdnum.kr import rrn
from stdnum.pl import pesel

if TYPE_CHECKING:
    from collections.abc import Callable

    Check = tuple[re.Pattern[str], Callable[[str], bool]]

_TAIWAN_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVXYWZIO"
"""Letters of places of issue in the order of their values, the first of which is 10."""
_ISSUED: Final = re.compile(
    r"4\d{12}(?:\d{3}(?:\d{3})?)?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|3(?:0[0-5]|[68]\d)\d{11}|(?:6011|64[4-9]\d|65\d\d|35(?:2[89]|[3-8]\d)|62\d\d|81\d\d|220[0-4])\d{12,15}"
    r"|(?:50|5[6-9]|6[0137-9])\d{10,17}"
)
"""Numbers of cards by issuer: Visa, Mastercard, American Express, Diners, Discover, JCB, UnionPay, Mir, Maestro."""
_RESIDENT: Final = re.compile(
    r"(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3])\d{4}(?:19[2-9]\d|20[0-3]\d)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
    r"\d{3}[\dXx]"
)
_BLANK: Final = 36
"""Value of the missing first letter of a Hong Kong identity card with one letter."""


def is_taiwanese(number: str) -> bool:
    """Whether a letter and nine digits are an identity card of Taiwan."""
    place = 10 + _TAIWAN_LETTERS.index(number[0].upper())
    digits, weights = [place // 10, place % 10, *map(int, number[1:])], (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)
    return sum(map(mul, digits, weights)) % 10 == 0


def is_of_hong_kong(number: str) -> bool:
    """Whether one or two letters, six digits and a check digit in brackets are an identity card of Hong Kong."""
    *letters, check = re.sub(r"[()]", "", number)
    values = [int(sign, 36) for sign in letters] + [10 if check in "Aa" else int(check)]
    values = [_BLANK, *values] if len(values) == 8 else values  # with the check digit
    return sum(map(mul, values, range(9, 0, -1))) % 11 == 0


def is_card(number: str) -> bool:
    """Whether digits have the prefix, the length and the check digit of a payment card."""
    digits = re.sub(r"\D", "", number)
    return _ISSUED.fullmatch(digits) is not None and len(set(digits)) > 1 and luhn.is_valid(digits)


def is_chinese(number: str) -> bool:
    """Whether 18 digits are a Chinese identity number, by province and day of birth; the check digit may be wrong."""
    digits = re.sub(r"[ .·-]", "", number)
    return ric.is_valid(digits) or _RESIDENT.fullmatch(digits) is not None


def is_account(number: str) -> bool:
    """Whether the text begins with an international account number (IBAN); words may follow it."""
    signs = re.sub(r"[ -]", "", number)
    return any(iban.is_valid(signs[:length]) for length in range(15, len(signs) + 1))


def _is_device(number: str) -> bool:
    digits = re.sub(r"[ -]", "", number)
    return digits[:2] in {"01", "35", "86", "99"} and imei.is_valid(digits)


def _check(pattern: str, is_valid: Callable[[str], bool]) -> Check:
    return re.compile(rf"(?<![\w.])(?:{pattern})(?!\w|\.\d)", re.ASCII), is_valid


_GAP: Final = r"[ .·-]"
NATIONAL: Final = (
    _check(rf"\d{{6}}{_GAP}?\d{{4}}{_GAP}?\d{{4}}{_GAP}?\d{{3}}[\dXx]", is_chinese),
    _check(r"[A-Za-z][1289]\d{8}", is_taiwanese),
    _check(r"[A-Za-z]{1,2}\d{6} ?\([\dAa]\)", is_of_hong_kong),
    _check(r"\d{6}-?[1-8]\d{6}", rrn.is_valid),
    _check(r"\d{3}-\d{2}-\d{4}", bool),
    _check(r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PQR-TW-Z][A-CEGHJ-NP-TQ-Z](?:[ .-]?\d\d){3}[ .-]?[A-D]", bool),
    _check(r"[A-Z9]{5}\d[0156]\d[0-3]\d\d[A-Z9]{2}[A-Z0-9][A-Z]{2}", bool),
    _check(r"[12] ?\d\d ?[01]\d ?\d[\dAB] ?\d{3} ?\d{3} ?\d\d", nir.is_valid),
    _check(r"\d{4}[ -]\d{4}[ -]\d{4}", aadhaar.is_valid),
    _check(r"\d{3}\.\d{3}\.\d{3}-\d\d", cpf.is_valid),
    _check(r"\d{8}-?[A-Za-z]", dni.is_valid),
    _check(r"[A-Za-z]{6}\d\d[A-Za-z]\d\d[A-Za-z]\d{3}[A-Za-z]", codicefiscale.is_valid),
    _check(r"\d{11}", pesel.is_valid),
)
"""Identity numbers of people; those without a check digit (USA, United Kingdom) are recognised by form alone."""
ACCOUNTS: Final = (_check(r"[A-Za-z]{2}\d\d(?:[ -]?[A-Za-z0-9]{1,4}){3,8}", is_account),)
CARDS: Final = (
    _check(
        r"\d{13,19}|\d{6}[ .-]\d{13}|(?:\d{4}[ ./_,。·-]{1,2}){3}\d{4}(?:[ ./-]\d{1,3})?|\d{4}[ ./-]\d{6}[ ./-]\d{4,5}",
        is_card,
    ),
)
DEVICES: Final = (_check(r"\d{2}[ -]?\d{6}[ -]?\d{6}[ -]?\d", _is_device),)


def holds(checks: tuple[Check, ...], text: str) -> bool:
    """Whether a number in the text passes one of the checks."""
    return any(is_valid(match[0]) for pattern, is_valid in checks for match in pattern.finditer(text))


PLATE: Final = re.compile(
    r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-HJ-NP-Za-hj-np-z][·•・. -]?"
    r"[A-HJ-NP-Za-hj-np-z0-9]{4,5}[A-HJ-NP-Za-hj-np-z0-9挂学警领港澳](?![A-Za-z0-9])"
    r"|(?i:licen[cs]e plate|number plate|plate number|\bplates?\b|registration(?: plate| number| mark)?|\breg\b|kennzeichen"
    r"|immatriculation|matrícula|targa|车牌|牌照|车号|车子|机车|汽车|摩托车|我的车|座驾|(?:my|our|his|her|their) (?:car|van|truck|bike|motorbike|motorcycle)|госномер|номер машины|لوحة السيارة)"
    r"[^A-Z0-9А-Я\n]{0,24}(?=[A-ZА-Я0-9 -]*\d)(?=[\d -]*[A-ZА-Я])[A-ZА-Я0-9]{1,4}(?:[ -]?[A-ZА-Я0-9]{1,5}){1,3}"
)
"""Licence plates, for texts with their capitals."""
