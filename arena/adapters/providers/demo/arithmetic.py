"""Arithmetic that cannot hang: own tokens, precedence climbing, exact fractions, limits on all that grows."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from arena.adapters.providers.demo.numerals import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.adapters.providers.demo.numerals import Number

_TOKENS: Final = 300
"""Most tokens of one expression."""
_DEPTH: Final = 40
_BITS: Final = 4_000
"""Most bits of a numerator or denominator."""
_DIGITS: Final = 60
_FACTORIAL: Final = 300
_SPLIT: Final = 10
"""From this factor on a product is shown in parts."""
_TOKEN = re.compile(
    r"\s*(?:(\d+(?:,\d{3})+(?:\.\d+)?|\d+\.?\d*|\.\d+)|(sqrt)(?![a-z])|([-+*/^()!%])|([xy])(?![a-z]))", re.IGNORECASE
)
_KINDS: Final = ("number", "name", "sign", "variable")


class NotArithmetic(ValueError):
    """The text is no expression."""


class TooLarge(ValueError):
    """The result, or a step on the way, would be beyond the limits."""


class Undefined(ValueError):
    """There is no such number: division by zero, the root of a negative number."""


class Token(NamedTuple):
    """`kind` is number, name, sign or variable."""

    kind: str
    text: str


def tokenise(text: str) -> list[Token]:
    """The tokens of a whole text.

    Raises:
        NotArithmetic: At the first sign that is none.
        TooLarge: Too many.
    """
    tokens: list[Token] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None or match.lastindex is None:
            raise NotArithmetic(text[place : place + 10])
        if len(tokens) >= _TOKENS:
            raise TooLarge
        tokens.append(Token(_KINDS[match.lastindex - 1], match.group(match.lastindex).lower()))
        place = match.end()
    return tokens


def evaluate(tokens: Sequence[Token], variable: Fraction | None = None) -> tuple[Number, list[str]]:
    """The value of an expression and the operations that led there; with a value for its variable, if it has one.

    Raises:
        NotArithmetic, TooLarge, Undefined: It has none.
    """
    parser = _Parser(tokens, variable)
    value = parser.sum(0)
    if parser.place != len(tokens):
        raise NotArithmetic
    return value, parser.steps


def solve(left: Sequence[Token], right: Sequence[Token]) -> tuple[Fraction, Fraction, Fraction]:
    """The solution x of a linear equation, and a and b of a·x = b.

    Raises:
        NotArithmetic: It is not linear.
        Undefined: It has no solution, or every number is one.
        TooLarge: A number on the way would be.
    """

    def gap(at: int) -> Number:
        return evaluate(left, Fraction(at))[0] - evaluate(right, Fraction(at))[0]

    zero, one, probe = gap(0), gap(1), gap(7)
    if not (isinstance(zero, Fraction) and isinstance(one, Fraction) and probe == zero + 7 * (one - zero)):
        raise NotArithmetic
    slope = one - zero
    if not slope:
        raise Undefined
    return -zero / slope, slope, -zero


class _Parser:
    """Precedence climbing: sum → product → sign → power → postfix → atom; `depth` bounds the recursion."""

    def __init__(self, tokens: Sequence[Token], variable: Fraction | None) -> None:
        self.tokens = tokens
        self.variable = variable
        self.place = 0
        self.percent = False
        self.steps: list[str] = []

    def sum(self, depth: int) -> Number:
        value = self._product(depth)
        while (sign := self._take("+", "-")) is not None:
            self.percent = False
            right = self._product(depth)
            if self.percent:
                right = _checked(value * right)  # 200 + 10 % is 220, as on every pocket calculator
            self.percent = False
            value = self._did(
                value, "+" if sign == "+" else "−", right, value + right if sign == "+" else value - right
            )
        return value

    def _product(self, depth: int) -> Number:
        value = self._signed(depth)
        while (sign := self._take("*", "/") or ("*" if self._implied() else None)) is not None:
            right = self._signed(depth)
            self.percent = False
            if sign == "/" and not right:
                raise Undefined
            done = value * right if sign == "*" else value / right
            value = self._did(value, "×" if sign == "*" else "÷", right, done)
        return value

    def _signed(self, depth: int) -> Number:
        negative = False
        while (sign := self._take("+", "-")) is not None:
            negative ^= sign == "-"
        value = self._power(depth + 1)
        return -value if negative else value

    def _power(self, depth: int) -> Number:
        base = self._postfix(depth)
        if self._take("^") is None:
            return base
        self.percent = False
        exponent = self._signed(depth + 1)
        return self._did(base, "^", exponent, _raised(base, exponent))

    def _postfix(self, depth: int) -> Number:
        value = self._atom(depth)
        while (sign := self._take("!", "%")) is not None:
            self.percent = sign == "%"
            value = _factorial(value) if sign == "!" else value / 100
        return value

    def _atom(self, depth: int) -> Number:
        if depth > _DEPTH:
            raise TooLarge
        token = self._next()
        if token.kind == "number":
            return _read(token.text)
        if token.kind == "variable" and self.variable is not None:
            return self.variable
        if token.kind == "name":
            return _root(self._atom(depth + 1))
        if token.text != "(":
            raise NotArithmetic
        value = self.sum(depth + 1)
        if self._take(")") is None:
            raise NotArithmetic
        self.percent = False
        return value

    def _did(self, left: Number, sign: str, right: Number, value: Number) -> Number:
        """Check a result and write down how it came about."""
        parts = _in_parts(left, right) if sign == "×" else ""
        self.steps.append(f"{shown(left)} {sign} {shown(right)} = {parts}{shown(_checked(value))}")
        return value

    def _implied(self) -> bool:
        """Whether a product is meant though no sign stands there: 2(3+4), 3x."""
        if not 0 < self.place < len(self.tokens):
            return False
        token, before = self.tokens[self.place], self.tokens[self.place - 1]
        return (token.text == "(" or token.kind in {"name", "variable"}) and (
            before.kind == "number" or before.text == ")"
        )

    def _take(self, *signs: str) -> str | None:
        if self.place < len(self.tokens) and self.tokens[self.place].text in signs:
            self.place += 1
            return self.tokens[self.place - 1].text
        return None

    def _next(self) -> Token:
        if self.place >= len(self.tokens):
            raise NotArithmetic
        self.place += 1
        return self.tokens[self.place - 1]


def _in_parts(left: Number, right: Number) -> str:
    """How a product of whole numbers is done by hand: 17 × 23 is 17 × 20 + 17 × 3."""
    if not (isinstance(right, Fraction) and left == int(left) and right == int(right) and _SPLIT < right < _SPLIT**2):
        return ""
    tens, ones = divmod(int(right), _SPLIT)
    if not ones or left < 2:  # noqa: PLR2004 - nothing to do in parts
        return ""
    parts = tens * _SPLIT, ones
    asked = " + ".join(f"{shown(left)} × {part}" for part in parts)
    return f"{asked} = {' + '.join(shown(left * part) for part in parts)} = "


def _read(text: str) -> Fraction:
    digits = text.replace(",", "")
    if len(digits) > _DIGITS:
        raise TooLarge
    return Fraction(digits.removesuffix("."))


def _root(value: Number) -> Number:
    if value < 0:
        raise Undefined
    if isinstance(value, Fraction):
        top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if top * top == value.numerator and bottom * bottom == value.denominator:
            return Fraction(top, bottom)
    return math.sqrt(value)


def _raised(base: Number, exponent: Number) -> Number:
    if not base and exponent <= 0:
        raise Undefined
    if isinstance(base, Fraction) and isinstance(exponent, Fraction) and exponent.denominator == 1:
        size = max(base.numerator.bit_length(), base.denominator.bit_length())
        if abs(exponent) > _BITS or size * abs(exponent.numerator) > _BITS:
            raise TooLarge
        return base**exponent.numerator
    if base < 0:
        raise Undefined
    try:
        return float(base) ** float(exponent)
    except OverflowError as error:
        raise TooLarge from error


def _factorial(value: Number) -> Fraction:
    if not isinstance(value, Fraction) or value.denominator != 1 or value < 0:
        raise Undefined
    if value > _FACTORIAL:
        raise TooLarge
    return Fraction(math.factorial(value.numerator))


def _checked(value: Number) -> Number:
    if isinstance(value, Fraction):
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > _BITS:
            raise TooLarge
    elif not math.isfinite(value):
        raise TooLarge
    return value
