"""Arithmetic that cannot hang: own tokens, precedence climbing, exact fractions, limits on all that grows."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Number = Fraction | float

TOKENS: Final = 300
"""Most tokens of one expression."""
_DEPTH: Final = 40
_BITS: Final = 4_000
"""Most bits of a numerator or denominator."""
_DIGITS: Final = 60
_FACTORIAL: Final = 300


class NotArithmetic(ValueError):
    """The text is no expression."""


class TooLarge(ValueError):
    """The result, or a step on the way, would be beyond the limits."""


class Undefined(ValueError):
    """There is no such number: division by zero, the root or logarithm of a negative number."""


class Token(NamedTuple):
    """`kind` is number, name, sign or variable."""

    kind: str
    text: str


def _guarded(function: Callable[[float], float]) -> Callable[[Number], Number]:
    def wrapped(value: Number) -> Number:
        try:
            return function(float(value))
        except OverflowError as error:
            raise TooLarge from error
        except ValueError as error:
            raise Undefined from error

    return wrapped


def _root(value: Number) -> Number:
    if value < 0:
        raise Undefined
    if isinstance(value, Fraction):
        top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if top * top == value.numerator and bottom * bottom == value.denominator:
            return Fraction(top, bottom)
    return _guarded(math.sqrt)(value)


FUNCTIONS: Final[dict[str, Callable[[Number], Number]]] = {
    "sqrt": _root,
    "abs": abs,
    "sin": _guarded(math.sin),
    "cos": _guarded(math.cos),
    "tan": _guarded(math.tan),
    "ln": _guarded(math.log),
    "log": _guarded(math.log10),
    "exp": _guarded(math.exp),
}
CONSTANTS: Final[dict[str, float]] = {"pi": math.pi, "π": math.pi}
_TOKEN = re.compile(
    r"\s*(?:(\d+(?:,\d{3})+(?:\.\d+)?|\d+\.?\d*|\.\d+)"
    rf"|({'|'.join([*FUNCTIONS, *CONSTANTS])})(?![a-z])|([-+*/^()!%])|([xy])(?![a-z]))",
    re.IGNORECASE,
)


def tokenise(text: str) -> list[Token]:
    """The tokens of a whole text; NotArithmetic at the first sign that is none, TooLarge for too many."""
    tokens: list[Token] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None:
            raise NotArithmetic(text[place : place + 10])
        if len(tokens) >= TOKENS:
            raise TooLarge
        kind = ("number", "name", "sign", "variable")[(match.lastindex or 1) - 1]
        tokens.append(Token(kind, match.group(match.lastindex or 1).lower()))
        place = match.end()
    return tokens


def evaluate(tokens: Sequence[Token], variable: Fraction | None = None) -> Number:
    """The value of an expression; with a value for its variable, if it has one."""
    parser = _Parser(tokens, variable)
    value = parser.sum(0)
    if parser.place != len(tokens):
        raise NotArithmetic
    return value


def solve(left: Sequence[Token], right: Sequence[Token]) -> Fraction:
    """The one solution of a linear equation; NotArithmetic if it is not linear, Undefined if it has none or all."""

    def gap(at: int) -> Number:
        return evaluate(left, Fraction(at)) - evaluate(right, Fraction(at))

    zero, one, probe = gap(0), gap(1), gap(7)
    if not isinstance(zero, Fraction) or not isinstance(one, Fraction) or not isinstance(probe, Fraction):
        raise NotArithmetic
    slope = one - zero
    if probe != zero + 7 * slope:
        raise NotArithmetic
    if not slope:
        raise Undefined
    return -zero / slope


class _Parser:
    """Precedence climbing: sum → product → sign → power → postfix → atom; `depth` bounds the recursion."""

    def __init__(self, tokens: Sequence[Token], variable: Fraction | None) -> None:
        self.tokens = tokens
        self.variable = variable
        self.place = 0
        self.percent = False

    def sum(self, depth: int) -> Number:
        value = self._product(depth)
        while (sign := self._take("+", "-")) is not None:
            self.percent = False
            right = self._product(depth)
            if self.percent:
                right = _checked(value * right)  # 200 + 10 % is 220, as on every pocket calculator
            value = _checked(value + right if sign == "+" else value - right)
            self.percent = False
        return value

    def _product(self, depth: int) -> Number:
        value = self._signed(depth)
        while True:
            sign = self._take("*", "/") or ("*" if self._implied() else None)
            if sign is None:
                return value
            right = self._signed(depth)
            self.percent = False
            if sign == "/" and not right:
                raise Undefined
            value = _checked(value * right if sign == "*" else value / right)

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
        return _raised(base, self._signed(depth + 1))

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
        if token.text in CONSTANTS:
            return CONSTANTS[token.text]
        if token.text in FUNCTIONS:
            return _checked(FUNCTIONS[token.text](self._atom(depth + 1)))
        if token.text == "(":
            value = self.sum(depth + 1)
            if self._take(")") is None:
                raise NotArithmetic
            self.percent = False
            return value
        raise NotArithmetic

    def _implied(self) -> bool:
        """Whether a product is meant though no sign stands there: 2(3+4), 3x, 2π."""
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


def _read(text: str) -> Fraction:
    digits = text.replace(",", "")
    if len(digits) > _DIGITS:
        raise TooLarge
    return Fraction(digits if not digits.endswith(".") else digits[:-1])


def _raised(base: Number, exponent: Number) -> Number:
    if not base and exponent < 0:
        raise Undefined
    if isinstance(base, Fraction) and isinstance(exponent, Fraction) and exponent.denominator == 1:
        size = max(base.numerator.bit_length(), base.denominator.bit_length())
        if size > 1 and size * abs(exponent.numerator) > _BITS:
            raise TooLarge
        return (
            base ** (exponent.numerator if size > 1 else exponent.numerator % 2 or 2)
            if base
            else (Fraction(1) if not exponent else base)
        )
    if base < 0:
        raise Undefined
    if exponent == Fraction(1, 2):
        return _root(base)
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
