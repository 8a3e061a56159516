"""Units: finding quantities in a sentence and turning them into another unit."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final, NamedTuple

from arena.providers.demo.abacus.numerals import shown, with_digits
from arena.providers.demo.talk import Talk


class Unit(NamedTuple):
    """`value` of the base unit of its dimension = number * factor + offset."""

    dimension: str
    en: str
    zh: str
    factor: Fraction
    offset: Fraction = Fraction(0)


class Quantity(NamedTuple):
    """A number with its unit and where it stands in the text."""

    number: Fraction
    unit: Unit
    start: int
    end: int


# dimension | English name | Chinese name | factor to the base unit [, offset] | other spellings
_TABLE: Final = """
length|m|米|1|metre metres meter meters 公尺
length|km|公里|1000|kilometre kilometres kilometer kilometers 千米
length|cm|厘米|1/100|centimetre centimetres centimeter centimeters 公分
length|mm|毫米|1/1000|millimetre millimetres millimeter millimeters
length|µm|微米|1/1000000|micron microns micrometre micrometer um
length|nm|纳米|1/1000000000|nanometre nanometer nanometres nanometers
length|里|里|500|li 华里 市里
length|丈|丈|10/3|zhang
length|尺|尺|1/3|chi 市尺
length|寸|寸|1/30|cun 市寸
length|miles|英里|1609344/1000|mile mi
length|yards|码|9144/10000|yard yd
length|feet|英尺|3048/10000|foot ft
length|inches|英寸|254/10000|inch
length|nautical miles|海里|1852|nautical_mile nmi
length|light years|光年|9460730472580800|light_year light-year light-years ly
mass|kg|公斤|1|kilogram kilograms kilo kilos 千克
mass|g|克|1/1000|gram grams gramme grammes
mass|mg|毫克|1/1000000|milligram milligrams
mass|tonnes|吨|1000|tonne ton tons 公吨
mass|jin|斤|1/2|jin catty catties 市斤
mass|liang|两|1/20|liang 市两
mass|qian|钱|1/200|qian
mass|pounds|磅|45359237/100000000|pound lb lbs
mass|ounces|盎司|45359237/1600000000|ounce oz
mass|stone|英石|635029318/100000000|stones
area|m²|平方米|1|m2 square_metres square_meters square_metre square_meter 平米 平方公尺
area|km²|平方公里|1000000|km2 square_kilometres square_kilometers 平方千米
area|cm²|平方厘米|1/10000|cm2 square_centimetres square_centimeters
area|hectares|公顷|10000|hectare ha
area|mu|亩|2000/3|mu 市亩
area|acres|英亩|316160658/78125|acre
area|square feet|平方英尺|145161/1562500|square_foot sqft ft2
area|square miles|平方英里|2589988110336/1000000|square_mile
volume|litres|升|1|litre liter liters l 公升
volume|ml|毫升|1/1000|millilitre millilitres milliliter milliliters cc
volume|m³|立方米|1000|m3 cubic_metres cubic_meters 立方
volume|cm³|立方厘米|1/1000|cm3 cubic_centimetres cubic_centimeters
volume|US gallons|加仑|473176473/125000000|gallon gallons gal us_gallon
volume|US cups|杯|473176473/2000000000|cup cups us_cup
volume|tablespoons|汤匙|473176473/32000000000|tablespoon tbsp 大勺
volume|teaspoons|茶匙|157725491/32000000000|teaspoon tsp 小勺
volume|US pints|品脱|473176473/1000000000|pint pints
speed|m/s|米每秒|1|米/秒 metres_per_second meters_per_second
speed|km/h|公里每小时|5/18|kmh kph 公里/小时 公里/时 千米/小时 千米/时 千米每小时 kilometres_per_hour kilometers_per_hour 时速
speed|mph|英里每小时|44704/100000|miles_per_hour 英里/小时
speed|knots|节|463/900|knot kn
time|s|秒|1|second seconds sec secs 秒钟
time|ms|毫秒|1/1000|millisecond milliseconds
time|minutes|分钟|60|minute min mins 分
time|hours|小时|3600|hour hr hrs h 钟头
time|days|天|86400|day 日
time|weeks|周|604800|week 星期 礼拜
time|years|年|31557600|year yr yrs
data|bytes|字节|1|byte
data|bits|比特|1/8|bit
data|kB|千字节|1000|kb
data|MB|兆字节|1000000|mb megabyte megabytes 兆
data|GB|吉字节|1000000000|gb gigabyte gigabytes
data|TB|太字节|1000000000000|tb terabyte terabytes
data|KiB|KiB|1024|kib
data|MiB|MiB|1048576|mib
data|GiB|GiB|1073741824|gib
data|TiB|TiB|1099511627776|tib
data|Mbit|兆比特|125000|mbps megabit megabits
energy|J|焦耳|1|joule joules 焦
energy|kJ|千焦|1000|kilojoule kilojoules
energy|kcal|千卡|4184|kilocalorie kilocalories 大卡
energy|kWh|千瓦时|3600000|kwh 度电
temperature|°C|摄氏度|1|℃ celsius degrees_celsius centigrade degrees_c deg_c °c c 度 摄氏
temperature|°F|华氏度|5/9,-160/9|℉ fahrenheit degrees_fahrenheit degrees_f deg_f °f f 华氏
temperature|K|开尔文|1,-273.15|kelvin 开氏度
"""
_COMMON: Final = {
    "length": ("m", "km", "feet", "里"), "mass": ("kg", "g", "jin", "pounds"), "area": ("m²", "hectares", "mu", "acres"),
    "volume": ("litres", "ml", "US gallons", "US cups"), "speed": ("m/s", "km/h", "mph", "knots"), "time": ("s", "minutes", "hours", "days"),
    "data": ("MB", "GB", "MiB", "GiB"), "energy": ("J", "kJ", "kcal", "kWh"), "temperature": ("°C", "°F", "K"),
}  # fmt: skip
_SHORT: Final = frozenset(
    {
        "m",
        "g",
        "l",
        "h",
        "s",
        "c",
        "f",
        "k",
        "j",
        "in",
        "分",
        "日",
        "两",
        "里",
        "节",
        "度",
        "钱",
        "杯",
        "码",
        "尺",
        "寸",
        "丈",
        "mi",
        "li",
        "mu",
        "min",
        "day",
        "days",
        "年",
        "天",
        "周",
        "stone",
        "second",
        "秒",
        "开",
    }
)
"""Spellings that are ordinary words too: a target only straight after a word that asks for one."""


def _units() -> dict[str, Unit]:
    found: dict[str, Unit] = {}
    for row in _TABLE.strip().splitlines():
        dimension, en, zh, factor, others = row.split("|")
        scale, _, offset = factor.partition(",")
        unit = Unit(dimension, en, zh, Fraction(scale), Fraction(offset or 0))
        for spelling in (en, zh, *others.split()):
            found[spelling.replace("_", " ").lower()] = unit
    found["in"] = found["inch"]
    return found


_UNITS: Final = _units()
_NAMES: Final = "|".join(
    re.escape(name) + ("(?![a-z0-9])" if name[-1].isascii() else "") for name in sorted(_UNITS, key=len, reverse=True)
)
_QUANTITY = re.compile(rf"(?<![\d.a-z])(-?\d{{1,30}}(?:,\d{{3}})*(?:\.\d{{1,30}})?)\s?-?\s?({_NAMES})", re.IGNORECASE)
_NUMBERED = re.compile(
    r"[零〇一二两三四五六七八九十百千万亿](?=[零〇一二两三四五六七八九十百千万亿点]{0,12}\s?(?:市?斤|公斤|克|千克|吨|公里|千米|米|里|尺|寸|亩|公顷|升|毫升|小时|分钟|天|英|摄氏|华氏|度))"
)
_ASKS = re.compile(
    rf"(?:\bto\b|\binto\b|\bin\b|\bas\b|\bhow many\b|\bhow much\b|=|换算成|换成|转换成|转换为|换算为|折合|转成|化成|合成?|等于|是|有|相当于|为|成)"
    rf"\s*(?:多少|几)?\s*(?:个)?\s*({_NAMES})|(?:多少|几)\s?(?:个)?\s?({_NAMES})",
    re.IGNORECASE,
)
_BARE = re.compile(rf"(?<![\d.a-z])(?<!\d )({_NAMES})", re.IGNORECASE)
_WANTED = re.compile(
    r"\b(?:convert|how (?:many|much|far|long|tall|heavy|hot|fast|big)|what is|what's|equals?|in|to|into)\b|=|换算|多少|几|等于|折合|转换|是多",
    re.IGNORECASE,
)
_LOOKED_AT: Final = 2_000
_COLD_LIMIT: Final = Fraction("-273.15")


def converted(talk: Talk, text: str) -> str | None:
    """An answer when the text holds a quantity and asks for it in another unit, or is hardly more than a quantity."""
    text = text[:_LOOKED_AT]
    line = with_digits(text) if _NUMBERED.search(text) or re.search(r"[多几]", text) else text
    quantities = [_quantity(match) for match in _QUANTITY.finditer(line)]
    if not quantities:
        return None
    total, used = _joined(quantities)
    target = _target(line, total.unit, used)
    if (
        target is None
        and not (_WANTED.search(line) and len(line) < 80)
        and len(line) > len(line[total.start : used[-1].end]) + 6
    ):
        return None
    if total.unit.dimension == "temperature" and _base(total) < _COLD_LIMIT:
        return talk.say(
            "That is colder than absolute zero (−273.15 °C), so it cannot exist.",
            "低于绝对零度（−273.15 ℃），这样的温度不存在。",
        )
    written = _together(talk, used)
    return _one(talk, total, target, written) if target else _several(talk, total, written)


def _quantity(match: re.Match[str]) -> Quantity:
    return Quantity(
        Fraction(match.group(1).replace(",", "")), _UNITS[match.group(2).lower()], match.start(), match.end()
    )


def _joined(quantities: list[Quantity]) -> tuple[Quantity, list[Quantity]]:
    """The first quantity, with the ones of the same dimension that follow at once (5 feet 11 inches, 3斤2两)."""
    used = [quantities[0]]
    for quantity in quantities[1:]:
        first = used[0].unit
        if (
            quantity.start - used[-1].end > 5
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
    for match in _ASKS.finditer(line):
        unit = _UNITS[(match.group(1) or match.group(2)).lower()]
        if unit.dimension == source.dimension and unit is not used[-1].unit:
            return unit
    for match in _BARE.finditer(line):
        unit = _UNITS[match.group(1).lower()]
        inside = any(quantity.start <= match.start() < quantity.end for quantity in used)
        if (
            not inside
            and match.group(1).lower() not in _SHORT
            and unit.dimension == source.dimension
            and unit is not source
        ):
            return unit
    return None


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
    by_name = {unit.en: unit for unit in _UNITS.values()}
    rows = [by_name[name] for name in _COMMON[quantity.unit.dimension] if by_name[name] is not quantity.unit]
    lines = [f"- {_said(talk, into(quantity, unit), unit)}" for unit in rows]
    return talk.say("**{} is**", "**{} 相当于**").format(written) + "\n\n" + "\n".join(lines)
