"""Numbers that stand for one person or account: recognised by their check digits, not by their length alone.

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
from stdnum.us import ssn

if TYPE_CHECKING:
    from collections.abc import Callable

    Check = tuple[re.Pattern[str], Callable[[str], bool]]

_TAIWAN_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVXYWZIO"
"""Letters of places in the order of their values, from 10."""
_BLANK: Final = 36
"""Value of the first letter of a card of Hong Kong that has only one."""


def is_taiwanese(number: str) -> bool:
    """Whether a letter and nine digits are an identity card of Taiwan."""
    place = 10 + _TAIWAN_LETTERS.index(number[0].upper())
    digits, weights = [place // 10, place % 10, *map(int, number[1:])], (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)
    return sum(map(mul, digits, weights)) % 10 == 0


def is_of_hong_kong(number: str) -> bool:
    """Whether one or two letters, six digits and a check digit in brackets are an identity card of Hong Kong."""
    *letters, check = re.sub(r"[()]", "", number)
    values = [int(sign, 36) for sign in letters] + [10 if check in "Aa" else int(check)]
    values = [_BLANK, *values] if len(values) == 8 else values  # noqa: PLR2004 - the checked digit included
    return sum(map(mul, values, range(9, 0, -1))) % 11 == 0


def is_card(number: str) -> bool:
    """Whether digits have the length, the first digit and the check digit of a payment card."""
    digits = re.sub(r"\D", "", number)
    return 14 <= len(digits) <= 19 and digits[0] in "3456" and len(set(digits)) > 2 and luhn.is_valid(digits)  # noqa: PLR2004


def _device(number: str) -> bool:
    return number[:2] in {"01", "35", "86", "99"} and imei.is_valid(number)


def _check(pattern: str, valid: Callable[[str], bool]) -> Check:
    return re.compile(rf"(?<![\w.])(?:{pattern})(?!\w|\.\d)"), valid


NATIONAL: Final = (
    _check(r"\d{6}[ -]?\d{4}[ -]?\d{4}[ -]?\d{3}[\dXx]", ric.is_valid),
    _check(r"[A-Za-z][1289]\d{8}", is_taiwanese),
    _check(r"[A-Za-z]{1,2}\d{6}\([\dAa]\)", is_of_hong_kong),
    _check(r"\d{6}-?[1-8]\d{6}", rrn.is_valid),
    _check(r"\d{3}-\d{2}-\d{4}", ssn.is_valid),
    _check(r"[12] ?\d\d ?[01]\d ?\d[\dAB] ?\d{3} ?\d{3} ?\d\d", nir.is_valid),
    _check(r"\d{4}[ -]\d{4}[ -]\d{4}", aadhaar.is_valid),
    _check(r"\d{3}\.\d{3}\.\d{3}-\d\d", cpf.is_valid),
    _check(r"\d{8}-?[A-Za-z]", dni.is_valid),
    _check(r"[A-Za-z]{6}\d\d[A-Za-z]\d\d[A-Za-z]\d{3}[A-Za-z]", codicefiscale.is_valid),
    _check(r"\d{11}", pesel.is_valid),
)
"""Numbers of people, by country."""
ACCOUNTS: Final = (_check(r"[A-Z]{2}\d\d(?: ?[A-Z0-9]{1,4}){3,8}", iban.is_valid),)
CARDS: Final = (_check(r"\d(?:[ -]?\d){13,18}", is_card),)
DEVICES: Final = (_check(r"\d{15}", _device),)


def holds(checks: tuple[Check, ...], text: str) -> bool:
    """Whether a number in the text passes one of the checks."""
    return any(valid(found[0]) for pattern, valid in checks for found in pattern.finditer(text))
