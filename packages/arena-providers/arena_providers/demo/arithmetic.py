"""Exact arithmetic of short expressions, with limits on all sizes, and formatting of numbers for people.

It raises `ValueError` for text that is no expression, `OverflowError` for numbers that are too large, and any other
`ArithmeticError` for expressions without a value, such as a division by zero.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Final
from unicodedata import numeric

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Number = Fraction | float

_TOKENS: Final = 300
"""Most tokens of one expression."""
_DEPTH: Final = 40
_BITS: Final = 4_000
"""Most bits of a numerator or denominator."""
_FACTORIAL: Final = 300
_PLACES: Final = 10
"""Decimal places up to which a finite decimal is shown in full."""
_LENGTH: Final = 80
"""Longest integer, with its commas, that is written in full."""
_SIGNIFICANT: Final = 9
_MIN_PLAIN: Final = 1e-6
_MAX_PLAIN: Final = 10**15
"""Numbers below `_MIN_PLAIN` or from `_MAX_PLAIN` on are written with a power of ten."""
_TOKEN: Final = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+\.?\d*|\.\d+|sqrt(?![a-z])|[-+*/^()!%]|[xy](?![a-z])")
_TEN: Final = 10
_MYRIAD: Final = 10_000
_HAN: Final = "零〇一二三四五六七八九十百千万亿壹贰叁肆伍拾佰仟"
_HAN_NUMBER: Final = re.compile(
    rf"(?:[{_HAN}]|(?<![一二三四五六七八九十])两){{1,20}}(?:点[零〇一二三四五六七八九]{{1,12}})?"
)
_MIXED: Final = re.compile(r"(\d{1,20}(?:\.\d{1,10})?)\s?([百千万亿])(?![克米瓦焦卡里])")
_PERCENT: Final = re.compile(r"百分之(\d{1,9}(?:\.\d{1,9})?|[零一二两三四五六七八九十百点]{1,10})")


def with_digits(text: str) -> str:
    """The text with Chinese numerals as digits: 一百二十 → 120, 3万 → 30000, 百分之五 → 5%."""
    text = _PERCENT.sub(r"\1%", text)
    text = _MIXED.sub(lambda match: format_number(Fraction(match[1]) * int(numeric(match[2]))).replace(",", ""), text)
    return _HAN_NUMBER.sub(lambda match: _digits(match[0]), text)


def _digits(numeral: str) -> str:
    """一万二千零三点五 → 12003.5; plain digits are concatenated (二〇二四 → 2024)."""
    integer, point, decimals = numeral.replace("两", "二").partition("点")
    values = [int(numeric(sign)) for sign in integer]
    number = _number(values) if max(values) >= _TEN else int("".join(map(str, values)))
    return f"{number}" + (point and ".") + "".join(str(int(numeric(sign))) for sign in decimals)


def _number(values: Sequence[int]) -> int:
    """The number of spoken digits and powers of ten: [2, 10, 3] is 23."""
    total = section = digit = 0
    for value in values:
        if value < _TEN:
            digit = value
        elif value < _MYRIAD:
            section, digit = section + (digit or 1) * value, 0
        else:
            total_above, units = (total, 0) if value == _MYRIAD else (0, total)
            total, section, digit = total_above + (units + section + digit or 1) * value, 0, 0
    return total + section + digit


def is_exact(value: Number) -> bool:
    """Whether `format_number` gives every digit."""
    if isinstance(value, float):
        return False
    if value.denominator == 1:
        return len(f"{value.numerator:,}") <= _LENGTH
    return (value * 10**_PLACES).denominator == 1 and abs(value) < _MAX_PLAIN


def format_number(value: Number) -> str:
    """A number with thousands separators: finite decimals in full, others to nine significant digits."""
    if isinstance(value, Fraction) and value.denominator == 1 and is_exact(value):
        return f"{value.numerator:,}"
    number = Decimal(value) if isinstance(value, float) else Decimal(value.numerator) / value.denominator
    if is_exact(value):
        return f"{number:,f}"
    size = abs(number)
    if number and not _MIN_PLAIN <= size < _MAX_PLAIN:
        head, _, power = f"{number:.{_SIGNIFICANT - 1}e}".partition("e")
        return f"{head.rstrip('0').rstrip('.')} × 10^{int(power)}"
    places = max(0, _SIGNIFICANT - len(str(int(size))))
    text = f"{number:,.{places}f}"
    return text.rstrip("0").rstrip(".") if places else text


def tokenise(text: str) -> list[str]:
    """The numbers, variables and signs of an expression, with `·` for an implied product: 2(3+4), 3x."""
    tokens: list[str] = []
    lower = text.lower()
    for token in _TOKEN.findall(lower):
        if tokens and (tokens[-1][-1].isdigit() or tokens[-1] == ")") and token in {"(", "sqrt", "x", "y"}:
            tokens.append("·")
        tokens.append(token)
    if "".join(tokens).replace("·", "") != "".join(lower.split()):
        raise ValueError(text)
    if len(tokens) > _TOKENS:
        raise OverflowError(len(tokens))
    return tokens


def write_term(tokens: Sequence[str]) -> str:
    """An expression in mathematical notation."""
    text = ""
    for place, token in enumerate(tokens):
        unary = place == 0 or tokens[place - 1] in {*"+-*/^(·"}
        sign = {"*": "×", "/": "÷", "sqrt": "√", "-": "−", "·": ""}.get(token, token)
        text += f" {sign} " if token in {*"+-*/"} and not unary else sign
    return text


def evaluate(tokens: Sequence[str], variable: Fraction | None = None) -> tuple[Number, list[str]]:
    """The value of an expression, with `variable` for x or y, and its operations in order."""
    expression = _Expression(tokens, variable)
    value = expression.value()
    if expression.tokens:
        raise ValueError(expression.tokens)
    return value, expression.steps


def solve(left: Sequence[str], right: Sequence[str]) -> tuple[Fraction, Fraction, Fraction]:
    """The solution x of a linear equation, and a and b of a·x = b; `ArithmeticError` if a is 0."""

    def gap(x: int) -> Number:
        return evaluate(left, Fraction(x))[0] - evaluate(right, Fraction(x))[0]

    zero, one, probe = gap(0), gap(1), gap(7)
    if not (isinstance(zero, Fraction) and isinstance(one, Fraction) and probe == zero + 7 * (one - zero)):
        raise ValueError((zero, one, probe))
    slope = one - zero
    return -zero / slope, slope, -zero


class _Expression:
    """Precedence climbing over reversed tokens, with the operations so far as text."""

    def __init__(self, tokens: Sequence[str], variable: Fraction | None) -> None:
        self.tokens = list(reversed(tokens))
        self.steps: list[str] = []
        self._variable = variable
        self._percent = False
        """Whether the last operation was a percent sign."""

    def value(self, precedence: int = 0, depth: int = 0) -> Number:
        """The value of the tokens before the first operator that binds no more tightly than `precedence`."""
        if depth > _DEPTH:
            raise OverflowError(depth)
        value = self._operand(depth)
        while self.tokens and _BINDING.get(self.tokens[-1], 0) > precedence:
            sign = self.tokens.pop()
            if sign in _OPERATIONS:
                right = self.value(_SIGN if sign == "^" else _BINDING[sign], depth + 1)
                value = self._operate(sign, value, right)
            else:
                value = _factorial(value) if sign == "!" else value / 100
            self._percent = sign == "%"
        return value

    def _operand(self, depth: int) -> Number:
        self._percent = False
        match self.tokens.pop() if self.tokens else "":
            case "+":
                return self.value(_SIGN, depth + 1)
            case "-":
                return -self.value(_SIGN, depth + 1)
            case "sqrt" if self.tokens and self.tokens[-1] not in {"+", "-"}:
                return _root(self.value(_BINDING["!"], depth + 1))
            case "(":
                value = self.value(0, depth + 1)
                self._percent = False
                if not self.tokens or self.tokens.pop() != ")":
                    raise ValueError("(")
                return value
            case "x" | "y" if self._variable is not None:
                return self._variable
            case number if number[:1].isdigit() or number[:1] == ".":
                return Fraction(number.replace(",", "").removesuffix("."))
            case other:
                raise ValueError(other)

    def _operate(self, sign: str, left: Number, right: Number) -> Number:
        """The checked result of an operation, which is recorded as a step."""
        if self._percent and sign in {"+", "-"}:
            right = _check(left * right)  # 200 + 10 % is 220, as on a pocket calculator
        name, operation = _OPERATIONS[sign]
        result = _check(operation(left, right))
        parts = _in_parts(left, right) if name == "×" else ""
        self.steps.append(f"{format_number(left)} {name} {format_number(right)} = {parts}{format_number(result)}")
        return result


def _in_parts(left: Number, right: Number) -> str:
    """A product of integers in parts: 17 × 23 is 17 × 20 + 17 × 3."""
    if not (isinstance(right, Fraction) and left == int(left) and right == int(right) and _TEN < right < _TEN**2):
        return ""
    tens, ones = divmod(int(right), _TEN)
    if not ones or left <= 1:
        return ""
    products = " + ".join(f"{format_number(left)} × {part}" for part in (tens * _TEN, ones))
    return f"{products} = {format_number(left * tens * _TEN)} + {format_number(left * ones)} = "


def _root(value: Number) -> Number:
    if value < 0:
        raise ArithmeticError(value)
    if isinstance(value, Fraction):
        root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
        if root * root == value:
            return root
    return math.sqrt(value)


def _power(base: Number, exponent: Number) -> Number:
    if not base and exponent <= 0:
        raise ArithmeticError(exponent)
    if isinstance(base, Fraction) and isinstance(exponent, Fraction) and exponent.denominator == 1:
        size = max(base.numerator.bit_length(), base.denominator.bit_length())
        if size * abs(exponent) > _BITS:
            raise OverflowError(exponent)
        return base**exponent.numerator
    if base < 0:
        raise ArithmeticError(base)
    return float(base) ** float(exponent)


def _factorial(value: Number) -> Fraction:
    if not isinstance(value, Fraction) or value.denominator != 1 or value < 0:
        raise ArithmeticError(value)
    if value > _FACTORIAL:
        raise OverflowError(value)
    return Fraction(math.factorial(value.numerator))


def _check(value: Number) -> Number:
    if isinstance(value, Fraction):
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > _BITS:
            raise OverflowError(_BITS)
    elif not math.isfinite(value):
        raise OverflowError(value)
    return value


_OPERATIONS: Final[Mapping[str, tuple[str, Callable[[Number, Number], Number]]]] = {
    "+": ("+", lambda left, right: left + right),
    "-": ("−", lambda left, right: left - right),
    "*": ("×", lambda left, right: left * right),
    "·": ("×", lambda left, right: left * right),
    "/": ("÷", lambda left, right: left / right),
    "^": ("^", _power),
}
_SIGN: Final = 3
_BINDING: Final = {"+": 1, "-": 1, "*": 2, "·": 2, "/": 2, "^": 4, "!": 5, "%": 5}
"""Precedence of operators; that of a sign (`_SIGN`) is below that of a power: -2^2 is -4."""
