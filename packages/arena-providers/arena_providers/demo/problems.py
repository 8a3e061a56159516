"""Word problems with a formula: shares, divisors, primes, chances, speeds, loans and polynomials."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from arena_providers.demo.arithmetic import format_number, with_digits
from arena_providers.demo.frames import count_of
from arena_providers.demo.script import find_alone, script

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from arena_providers.demo.script import Answer, Question

Parts = dict[str, str]
"""The parts of a prompt that a pattern names, without those that are missing."""

_LARGEST: Final = 1_000_000
"""Largest number whose primes are counted, or that is taken apart into them."""
_DICE: Final = 20
_DAY: Final = 24 * 60
_TERM: Final = re.compile(r"([+-]?)\s*(\d{0,6})\s*(x?)(?:\^(\d{1,2}))?")


def solve_problem(question: Question) -> Answer | None:
    """The answer to the first kind of problem that the whole prompt poses."""
    text = with_digits(question.text) if question.zh else question.text
    for name, solve in _SOLUTIONS.items():
        match = find_alone(script().problems[name], text)
        parts = {key.rstrip("0123456789"): part for key, part in match.groupdict().items() if part} if match else {}
        if parts and (values := solve(parts)):
            return question.say(values.pop("name", name), **values)
    return None


def _cage(parts: Parts) -> Parts | None:
    """Chickens and rabbits of so many heads and feet."""
    heads, feet = int(parts["heads"]), int(parts["feet"])
    rabbits, odd = divmod(feet - 2 * heads, 2)
    if odd or not 0 <= rabbits <= heads:
        return None
    numbers = {"heads": heads, "feet": feet, "rabbits": rabbits, "chickens": heads - rabbits, "more": 2 * rabbits}
    return {name: str(number) for name, number in (numbers | {"least": 2 * heads}).items()}


def _siblings(parts: Parts) -> Parts | None:
    """The child whose name begins the riddle, if all others are named."""
    number = count_of(parts["number"])
    others = [name for name in re.split(r",? and |[,、和]\s?", parts["names"]) if name]
    if len(others) != number - 1:
        return None
    return {"name": "siblings", "child": parts["name"], "number": f"{number}", "others": f"{len(others)}"}


def _share(parts: Parts) -> Parts | None:
    whole, part = Fraction(parts["whole"]), Fraction(parts["part"])
    return {"part": parts["part"], "whole": parts["whole"], "value": _round(part * 100 / whole)} if whole else None


def _change(parts: Parts) -> Parts | None:
    old, new = Fraction(parts["old"]), Fraction(parts["new"])
    if not old or old == new:
        return None
    name = "rise" if new > old else "fall"
    values = {"old": parts["old"], "new": parts["new"], "difference": format_number(abs(new - old))}
    return {"name": name, **values, "value": _round(abs(new - old) * 100 / old)}


def _divisor(parts: Parts) -> Parts | None:
    a, b = int(parts["a"]), int(parts["b"])
    if not a or not b:
        return None
    return {"name": "multiple" if "multiple" in parts else "divisor", "a": f"{a}", "b": f"{b}"} | {
        "greatest": f"{math.gcd(a, b):,}",
        "least": f"{math.lcm(a, b):,}",
    }


def _primes(parts: Parts) -> Parts | None:
    low, high = int(parts.get("low", "1")), int(parts["high"])
    if not low < high <= _LARGEST // 10:
        return None
    numbers = [number for number in range(max(low, 2), high + 1) if _least_factor(number) == number]
    return {"low": f"{low}", "high": f"{high}", "count": f"{len(numbers)}", "last": f"{numbers[-1] if numbers else 0}"}


def _factors(parts: Parts) -> Parts | None:
    number, factors = int(parts["number"]), list[int]()
    if not 1 < number <= _LARGEST:
        return None
    rest = number
    while rest > 1:
        factors.append(_least_factor(rest))
        rest //= factors[-1]
    return {"number": f"{number}", "factors": " × ".join(map(str, factors))}


def _least_factor(number: int) -> int:
    return next((factor for factor in range(2, math.isqrt(number) + 1) if number % factor == 0), number)


def _dice(parts: Parts) -> Parts | None:
    """The chance of a face on at least one of several dice."""
    dice = count_of(parts["dice"])
    if not 1 <= dice <= _DICE:
        return None
    chance = 1 - Fraction(5, 6) ** dice
    return {"dice": f"{dice}", "chance": str(chance), "percent": _round(chance * 100)}


def _arrival(parts: Parts) -> Parts | None:
    """The time of day at the end of a way."""
    speed = Fraction(parts["speed"])
    minutes = Fraction(parts["way"]) * 60 / speed if speed else Fraction(_DAY)
    hour, minute = int(parts["hour"]), int(parts.get("minute", "0"))
    half = parts.get("half", "").lower().replace(".", "")
    if minutes >= _DAY or minutes.denominator != 1 or minute > 59 or hour > (12 if half else 23):
        return None
    start = (hour % 12 + 12 * (half == "pm") if half else hour) * 60 + minute
    hours, rest = divmod(int(minutes), 60)
    return {"way": parts["way"], "speed": parts["speed"], "hours": f"{hours}", "minutes": f"{rest:02}"} | {
        "time": _clock((start + int(minutes)) % _DAY, half)
    }


def _clock(minutes: int, half: str) -> str:
    hour, minute = divmod(minutes, 60)
    return f"{(hour - 1) % 12 + 1}:{minute:02} {'pm' if hour >= 12 else 'am'}" if half else f"{hour}:{minute:02}"


def _loan(parts: Parts) -> Parts | None:
    """The equal monthly payment of a loan."""
    sum_lent = float(parts["sum"].replace(",", "")) * (1000 if parts.get("thousand") else 1)
    rate, months = float(parts["rate"]) / 1200, int(parts["years"]) * 12
    if not rate or not months:
        return None
    payment = sum_lent * rate / (1 - (1 + rate) ** -months)
    return {"payment": f"{payment:,.2f}", "months": f"{months}", "interest": f"{payment * months - sum_lent:,.2f}"} | {
        "rate": f"{rate * 100:.4g}"
    }


def _derivative(parts: Parts) -> Parts | None:
    terms = _terms(parts["polynomial"])
    slopes = {power - 1: power * factor for power, factor in terms.items() if power} if terms else {}
    return {"given": parts["polynomial"].strip(), "value": _polynomial(slopes)} if terms else None


def _terms(text: str) -> dict[int, int] | None:
    """The factors of a polynomial by power, or nothing if it has anything else."""
    factors = dict[int, int]()
    if _TERM.sub("", text.strip()).strip():
        return None
    for sign, digits, name, power in _TERM.findall(text):
        if digits or name:
            key = int(power or 1) if name else 0
            factors[key] = factors.get(key, 0) + int(f"{sign}{digits or 1}")
    return factors or None


def _polynomial(factors: Mapping[int, int]) -> str:
    terms = [
        f"{'-' if factor < 0 else '+'} {abs(factor) if abs(factor) > 1 or not power else ''}"
        f"{'x' if power else ''}{f'^{power}' if power > 1 else ''}"
        for power, factor in sorted(factors.items(), reverse=True)
        if factor
    ]
    return " ".join(terms).removeprefix("+ ").replace("- ", "-", 1 if terms and terms[0][0] == "-" else 0) or "0"


def _median(parts: Parts) -> Parts | None:
    numbers = sorted(map(Fraction, re.findall(r"-?\d+(?:\.\d+)?", parts["numbers"])))
    middle, even = len(numbers) // 2, len(numbers) % 2 == 0
    value = (numbers[middle - 1] + numbers[middle]) / 2 if even else numbers[middle]
    return {"value": format_number(value), "line": ", ".join(map(format_number, numbers)), "count": f"{len(numbers)}"}


def _series(parts: Parts) -> Parts | None:
    last = int(parts["last"])
    return {"last": f"{last}", "next": f"{last + 1}", "value": f"{last * (last + 1) // 2:,}"} if last > 1 else None


def _duration(parts: Parts) -> Parts | None:
    speed, way = Fraction(parts["speed"]), Fraction(parts["way"])
    return {"speed": parts["speed"], "way": parts["way"], "value": _round(way / speed)} if speed else None


def _round(value: Fraction) -> str:
    """A number to two decimals at most."""
    return format_number(Fraction(round(value * 100), 100))


_SOLUTIONS: Final[Mapping[str, Callable[[Parts], Parts | None]]] = {
    "cage": _cage,
    "siblings": _siblings,
    "share": _share,
    "change": _change,
    "divisor": _divisor,
    "primes": _primes,
    "factors": _factors,
    "dice": _dice,
    "arrival": _arrival,
    "loan": _loan,
    "derivative": _derivative,
    "median": _median,
    "series": _series,
    "duration": _duration,
}
