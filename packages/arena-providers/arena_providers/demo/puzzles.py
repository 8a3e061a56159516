"""Small puzzles with one right answer: primes, quadratic equations, temperatures, and number sequences."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import TYPE_CHECKING, Final

from arena_providers.demo.arithmetic import format_number
from arena_providers.demo.script import find_alone, script

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena_providers.demo.script import Answer, Question

_ROW: Final = 3
"""Fewest numbers of a sequence that show a rule."""


def solve_puzzle(question: Question) -> Answer | None:
    """The answer to the first kind of puzzle that matches the prompt."""
    return (
        _test_prime(question) or _solve_quadratic(question) or _convert_temperature(question) or _continue_row(question)
    )


def _find(name: str, question: Question) -> re.Match[str] | None:
    return find_alone(script().puzzles[name], question.text)


def _test_prime(question: Question) -> Answer | None:
    match = _find("prime", question)
    number = int(match["number"]) if match else 0
    if number < 2:  # the smallest prime
        return None
    factor = next((divisor for divisor in range(2, isqrt(number) + 1) if number % divisor == 0), None)
    if factor is None:
        return question.say("prime", number=number, root=isqrt(number))
    return question.say("composite", number=number, factor=factor, other=number // factor)


def _solve_quadratic(question: Question) -> Answer | None:
    match = _find("quadratic", question)
    if match is None:
        return None
    a, b, c = (_coefficient(match[name]) for name in "abc")
    discriminant = b * b - 4 * a * c
    root = isqrt(int(discriminant)) if discriminant >= 0 and discriminant.denominator == 1 else -1
    if not a or root * root != discriminant:
        return None
    low, high = sorted(((-b - root) / (2 * a), (-b + root) / (2 * a)))
    return question.say(
        "quadratic", low=format_number(low), high=format_number(high), inside=format_number(discriminant), root=root
    )


def _coefficient(text: str | None) -> Fraction:
    """A coefficient: None is 0, an empty text 1 (as in x²), a lone sign 1 or -1."""
    digits = re.sub(r"\s", "", text) if text is not None else "0"
    return Fraction(f"{digits}1" if digits in {"", "+", "-"} else digits)


def _convert_temperature(question: Question) -> Answer | None:
    match = _find("temperature", question)
    if match is None:
        return None
    degrees = Fraction(match["degrees"] or match["zhdegrees"])
    if (match["from"] or match["zhfrom"]).lower() in {"f", "fahrenheit", "华氏"}:
        return question.say("celsius", given=format_number(degrees), value=_tenth((degrees - 32) * 5 / 9))
    return question.say("fahrenheit", given=format_number(degrees), value=_tenth(degrees * 9 / 5 + 32))


def _tenth(value: Fraction) -> str:
    return format_number(Fraction(round(value * 10), 10))


def _continue_row(question: Question) -> Answer | None:
    match = _find("row", question)
    numbers = [int(number) for number in re.findall(r"-?\d+", match["numbers"])] if match else []
    if len(numbers) < _ROW:
        return None
    rule = _rule(numbers)
    return question.say(f"row_{rule[0]}", next=rule[1], step=rule[2]) if rule else None


def _rule(numbers: Sequence[int]) -> tuple[str, int, int] | None:
    first, second, third = numbers[:_ROW]
    pairs, step = list(pairwise(numbers)), second - first
    if all(following - previous == step for previous, following in pairs):
        return "difference", numbers[-1] + step, step
    factor = second // first if first else 0
    if factor and all(previous * factor == following for previous, following in pairs):
        return "factor", numbers[-1] * factor, factor
    if third == first + second and all(a + b == c for (a, b), (_, c) in pairwise(pairs)):
        return "sum", numbers[-1] + numbers[-2], 0
    roots = [isqrt(number) if number >= 0 else -1 for number in numbers]
    if all(root * root == number for root, number in zip(roots, numbers, strict=True)) and roots[-1] - roots[-2] == 1:
        return "square", (roots[-1] + 1) ** 2, 0
    return None
