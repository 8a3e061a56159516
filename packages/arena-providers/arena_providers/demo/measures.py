"""Sums with a formula: areas, averages, tips, and numbers in other notations."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from arena_providers.demo.arithmetic import format_number, with_digits
from arena_providers.demo.script import find_alone, script

if TYPE_CHECKING:
    from arena_providers.demo.script import Answer, Question

_MIN_NUMBERS: Final = 2
"""Fewest numbers that have an average."""
_ROMAN: Final = dict(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ("M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"),
        strict=True,
    )
)
_ROMAN_LIMIT: Final = 4000


def measure(question: Question) -> Answer | None:
    """The result of the first formula that the prompt names with all of its numbers."""
    return (
        _rectangle(question)
        or _circle(question)
        or _average(question)
        or _goods(question)
        or _shares(question)
        or _tip(question)
        or _discount(question)
        or _share(question)
        or _distance(question)
        or _segment(question)
        or _notation(question)
    )


def _find(name: str, question: Question) -> re.Match[str] | None:
    text = with_digits(question.text) if question.zh else question.text
    return find_alone(script().formulas[name], text)


def _rectangle(question: Question) -> Answer | None:
    """Area and perimeter of a rectangle."""
    match = _find("rectangle", question)
    if match is None:
        return None
    a, b = (Fraction(number) for number in match.groups() if number)
    sides = {"a": format_number(a), "b": format_number(b)}
    return question.say("rectangle", area=format_number(a * b), around=format_number(2 * (a + b)), **sides)


def _circle(question: Question) -> Answer | None:
    """Area and circumference of a circle from its radius or diameter, to two decimals."""
    match = _find("circle", question)
    if match is None:
        return None
    size = Fraction(match["size"])
    radius = size / 2 if match["kind"].lower() in {"diameter", "直径"} else size
    area, around = (f"{math.pi * float(value):,.2f}" for value in (radius**2, 2 * radius))
    return question.say("circle", radius=format_number(radius), area=area, around=around)


def _average(question: Question) -> Answer | None:
    match = _find("average", question)
    numbers = re.findall(r"-?\d{1,12}(?:\.\d{1,6})?", match["numbers"]) if match else []
    if len(numbers) < _MIN_NUMBERS:
        return None
    total = sum(map(Fraction, numbers))
    return question.say(
        "average", value=format_number(total / len(numbers)), total=format_number(total), count=len(numbers)
    )


def _tip(question: Question) -> Answer | None:
    match = _find("tip", question)
    if match is None:
        return None
    share, bill = (Fraction(match[name] or match[f"{name}_last"]) for name in ("share", "bill"))
    tip = share * bill / 100
    return question.say(
        "tip",
        tip=f"{float(tip):,.2f}",
        total=f"{float(bill + tip):,.2f}",
        share=format_number(share),
        bill=format_number(bill),
    )


def _goods(question: Question) -> Answer | None:
    """The price of several things of one price, if the prompt says nothing else."""
    match = script().formulas["goods"].fullmatch(question.text)
    if match is None:
        return None
    count = Fraction(match["count"] or match["zhcount"])
    price = Fraction(match["price"] or match["zhprice"]) + Fraction(match["tenths"] or 0) / 10
    numbers = {"count": count, "price": price, "total": count * price}
    return question.say("goods", **{name: format_number(number) for name, number in numbers.items()})


def _shares(question: Question) -> Answer | None:
    """The part of each of several people in a sum, to two decimals."""
    match = script().formulas["shares"].fullmatch(with_digits(question.text) if question.zh else question.text)
    people = int(match["people"] or match["zhpeople"]) if match else 0
    if match is None or not people:
        return None
    bill = Fraction(match["bill"] or match["zhbill"])
    share = Fraction(round(bill * 100 / people), 100)
    sign = "=" if share * people == bill else "≈"
    return question.say("shares", bill=format_number(bill), people=people, share=format_number(share), sign=sign)


def _discount(question: Question) -> Answer | None:
    """A price after a part of it is taken off; Chinese names the part that is left, in tenths."""
    match = _find("discount", question)
    if match is None:
        return None
    price, off = Fraction(match["price"] or match["tag"] or match["zhprice"]), match["off"] or match["less"]
    left = 100 - Fraction(off) if off else Fraction(f"0{match['tenths']}") * 10
    numbers = {"price": price, "left": left, "value": price * left / 100}
    return question.say("discount", **{name: format_number(number) for name, number in numbers.items()})


def _share(question: Question) -> Answer | None:
    """How many percent of a number another one is."""
    match = _find("share", question)
    parts = {name.rstrip("23"): part for name, part in match.groupdict().items() if part} if match else {}
    if not parts or not Fraction(parts["whole"]):
        return None
    value = round(Fraction(parts["part"]) * 100 / Fraction(parts["whole"]), 2)
    return question.say("share", value=format_number(value), **parts)


def _distance(question: Question) -> Answer | None:
    """The way at a speed in a time."""
    match = _find("distance", question)
    if match is None:
        return None
    speed, hours = (Fraction(match[name]) for name in ("speed", "hours"))
    numbers = {"speed": speed, "hours": hours, "way": speed * hours}
    values = {name: format_number(number) for name, number in numbers.items()}
    return question.say("distance", unit="miles" if match["unit"].lower().startswith("m") else "km", **values)


def _segment(question: Question) -> Answer | None:
    """The length of a line between two points."""
    match = _find("segment", question)
    if match is None:
        return None
    a, b, c, d = map(Fraction, match.groups())
    length = math.hypot(c - a, d - b)
    across, up = format_number(c - a), format_number(d - b)
    return question.say("segment", across=across, up=up, length=format_number(Fraction(f"{length:.6g}")))


def _notation(question: Question) -> Answer | None:
    """A number in binary, hexadecimal or Roman numerals."""
    match = _find("notation", question)
    if match is None:
        return None
    number, base = int(match["number"]), match["base"].lower()
    if base.startswith(("roman", "罗马")):
        return question.say("roman", given=number, value=_roman(number)) if 0 < number < _ROMAN_LIMIT else None
    digits = f"{number:b}" if base.startswith(("bin", "2", "二")) else f"{number:X}"
    return question.say("base", given=number, value=digits, base=2 if base.startswith(("bin", "2", "二")) else 16)


def _roman(number: int) -> str:
    text = ""
    for value, sign in _ROMAN.items():
        count, number = divmod(number, value)
        text += sign * count
    return text
