"""The units that are known, how people spell them, and how to read one at a place in a text."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple


class Unit(NamedTuple):
    """`value` of the base unit of its dimension = number * factor + offset."""

    dimension: str
    en: str
    zh: str
    factor: Fraction
    offset: Fraction = Fraction(0)


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
speed|km/h|公里每小时|5/18|kmh kph 公里/小时 公里/时 千米/小时 千米/时 千米每小时 kilometres_per_hour
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
SHORT: Final = frozenset(
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


UNITS: Final = _units()
_LONGEST: Final = max(map(len, UNITS))


def unit_at(line: str, place: int) -> tuple[Unit, int] | None:
    """The unit with the longest spelling at a place, and where it ends; Latin spellings as whole words only."""
    for end in range(min(len(line), place + _LONGEST), place, -1):
        unit = UNITS.get(line[place:end].lower())
        if unit is not None and not (
            line[end - 1].isascii() and line[end : end + 1].isascii() and line[end : end + 1].isalnum()
        ):
            return unit, end
    return None
