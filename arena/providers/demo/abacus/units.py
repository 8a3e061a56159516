"""Units: finding quantities in a sentence and turning them into another unit."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from arena.providers.demo.abacus.numerals import shown, with_digits
from arena.providers.demo.abacus.unit_table import SHORT, UNITS, Unit, unit_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.providers.demo.talk import Talk


class Quantity(NamedTuple):
    """A number with its unit and where it stands in the text."""

    number: Fraction
    unit: Unit
    start: int
    end: int


_COMMON: Final = {
    "length": ("m", "km", "feet", "里"),
    "mass": ("kg", "g", "jin", "pounds"),
    "area": ("m²", "hectares", "mu", "acres"),
    "volume": ("litres", "ml", "US gallons", "US cups"),
    "speed": ("m/s", "km/h", "mph", "knots"),
    "time": ("s", "minutes", "hours", "days"),
    "data": ("MB", "GB", "MiB", "GiB"),
    "energy": ("J", "kJ", "kcal", "kWh"),
    "temperature": ("°C", "°F", "K"),
}
_NUMBER = re.compile(r"(?<![\d.a-z])(-?\d{1,30}(?:,\d{3})*(?:\.\d{1,30})?)\s?-?\s?", re.IGNORECASE)
_NUMBERED = re.compile(
    r"[零〇一二两三四五六七八九十百千万亿](?=[零〇一二两三四五六七八九十百千万亿点]{0,12}\s?(?:市?斤|公斤|克|千克|吨|公里|千米|米|里|尺|寸|亩|公顷|升|毫升|小时|分钟|天|英|摄氏|华氏|度))"
)
_ASKS = re.compile(
    r"(?:\b(?:to|into|in|as|how many|how much)\b|=|换算成|转?换成|[转换]为|折合|[转化]成|合成?|等于|是|有|相当于|为|成)"
    r"\s{0,3}(?:多少|几)?\s{0,3}个?\s{0,3}|(?:多少|几)\s?个?\s?",
    re.IGNORECASE,
)
_WANTED = re.compile(
    r"\b(?:convert|how (?:many|much|far|long|tall|heavy|hot|fast|big)|what)\b|=|换算|多少|几|折合|转换", re.IGNORECASE
)
_PER_HOUR = re.compile(r"时速\s?(\d{1,9}(?:\.\d{1,9})?)\s?(?:公里|千米)")
_GAP: Final = 5
"""Room for " and " between the parts of one quantity."""
_ASIDE: Final = 8
"""Characters that may stand beside a quantity without a question for it still to be one."""
_QUESTION: Final = 60
_LOOKED_AT: Final = 2_000
_COLD_LIMIT: Final = Fraction("-273.15")


def converted(talk: Talk, text: str) -> str | None:
    """An answer when the text holds a quantity and asks for it in another unit, or is hardly more than a quantity."""
    line = _PER_HOUR.sub(r"\1 km/h", text[:_LOOKED_AT])
    quantities = list(_quantities(line))
    if not quantities and _NUMBERED.search(line):
        line = with_digits(line)
        quantities = list(_quantities(line))
    if not quantities:
        return None
    total, used = _joined(quantities)
    target = _target(line, total.unit, used)
    aside = len(line) - (used[-1].end - total.start)
    if target is None and aside > _ASIDE and not (len(line) < _QUESTION and _WANTED.search(line)):
        return None
    if total.unit.dimension == "temperature" and _base(total) < _COLD_LIMIT:
        return talk.say(
            "That is colder than absolute zero (−273.15 °C), so it cannot exist.",
            "低于绝对零度（−273.15 ℃），这样的温度不存在。",
        )
    written = _together(talk, used)
    return _one(talk, total, target, written) if target else _several(talk, total, written)


def _quantities(line: str) -> Iterator[Quantity]:
    for match in _NUMBER.finditer(line):
        found = unit_at(line, match.end())
        if found:
            yield Quantity(Fraction(match.group(1).replace(",", "")), found[0], match.start(), found[1])


def _joined(quantities: list[Quantity]) -> tuple[Quantity, list[Quantity]]:
    """The first quantity, with the ones of the same dimension that follow at once (5 feet 11 inches, 3斤2两)."""
    used = [quantities[0]]
    for quantity in quantities[1:]:
        first = used[0].unit
        if (
            quantity.start - used[-1].end > _GAP
            or quantity.unit.dimension != first.dimension
            or first.offset
            or quantity.unit is used[-1].unit
        ):
            break
        used.append(quantity)
    base = sum((quantity.number * quantity.unit.factor for quantity in used), Fraction(0))
    first = used[0]
    return (
        first if len(used) == 1 else Quantity(base / first.unit.factor, first.unit, first.start, used[-1].end)
    ), used


def _target(line: str, source: Unit, used: list[Quantity]) -> Unit | None:
    """The unit that is asked for: of the same dimension, another one, and outside the quantity itself."""
    asked = (unit_at(line, match.end()) for match in _ASKS.finditer(line))
    for unit in (found[0] for found in asked if found):
        if unit.dimension == source.dimension and unit is not used[-1].unit:
            return unit
    return next((unit for unit in _bare(line, used) if unit.dimension == source.dimension and unit is not source), None)


def _bare(line: str, used: list[Quantity]) -> Iterator[Unit]:
    """Units that stand without a number, the short ambiguous spellings left out."""
    place = 0
    while place < len(line):
        starts = not (line[place].isascii() and place and line[place - 1].isascii() and line[place - 1].isalnum())
        found = unit_at(line, place) if starts and not any(row.start <= place < row.end for row in used) else None
        if found and line[place : found[1]].lower() not in SHORT:
            yield found[0]
        place = found[1] if found else place + 1


def _base(quantity: Quantity) -> Fraction:
    return quantity.number * quantity.unit.factor + quantity.unit.offset


def into(quantity: Quantity, unit: Unit) -> Fraction:
    """The number of the same quantity in another unit of its dimension."""
    return (_base(quantity) - unit.offset) / unit.factor


def _said(talk: Talk, number: Fraction, unit: Unit) -> str:
    return f"{shown(number)} {talk.say(_single(unit.en) if number == 1 else unit.en, unit.zh)}"


def _single(name: str) -> str:
    irregular = {"feet": "foot", "inches": "inch"}
    return irregular.get(name, name[:-1] if name.endswith("s") and len(name) > 2 else name)  # noqa: PLR2004 - "s" and "ms" are symbols


def _together(talk: Talk, used: list[Quantity]) -> str:
    return " ".join(_said(talk, quantity.number, quantity.unit) for quantity in used)


def _one(talk: Talk, quantity: Quantity, target: Unit, written: str) -> str:
    result = into(quantity, target)
    equals = "=" if (result * 10**10).denominator == 1 else "≈"
    lines = [f"**{written} {equals} {_said(talk, result, target)}**"]
    if quantity.unit.dimension == "temperature":
        lines.append(_temperature_rule(talk, quantity, target))
    else:
        unit_rate = _said(talk, quantity.unit.factor / target.factor, target)
        rate_sign = "=" if (quantity.unit.factor / target.factor * 10**10).denominator == 1 else "≈"
        lines.append(
            talk.say("Rate: ", "换算率：") + f"1 {talk.say(quantity.unit.en, quantity.unit.zh)} {rate_sign} {unit_rate}"
        )
    return "\n\n".join(lines)


def _temperature_rule(talk: Talk, quantity: Quantity, target: Unit) -> str:
    pair = (quantity.unit.en, target.en)
    number = shown(quantity.number)
    rules = {
        ("°C", "°F"): f"°F = °C × 9/5 + 32 = {number} × 9/5 + 32",
        ("°F", "°C"): f"°C = (°F − 32) × 5/9 = ({number} − 32) × 5/9",
        ("°C", "K"): f"K = °C + 273.15 = {number} + 273.15",
        ("K", "°C"): f"°C = K − 273.15 = {number} − 273.15",
    }
    return talk.say("Formula: ", "公式：") + rules.get(pair, talk.say("by way of °C", "先换成摄氏度再换算"))


def _several(talk: Talk, quantity: Quantity, written: str) -> str:
    by_name = {unit.en: unit for unit in UNITS.values()}
    rows = [by_name[name] for name in _COMMON[quantity.unit.dimension] if by_name[name] is not quantity.unit]
    lines = [f"- {_said(talk, into(quantity, unit), unit)}" for unit in rows]
    return talk.say("**{} is**", "**{} 相当于**").format(written) + "\n\n" + "\n".join(lines)
