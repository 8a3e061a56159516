"""Discounts, taxes, rises and falls: forwards to the final price, or back to the original one."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from arena.providers.demo.abacus.numerals import is_exact, shown, with_digits

if TYPE_CHECKING:
    from arena.providers.demo.talk import Talk

_PERCENT: Final = r"\d{1,4}(?:\.\d{1,6})?)\s?%"
_FALLS: Final = r"降价?|减少|下降|下跌|便宜了?|reduced by|cut by|down|decreased by|fell|falls|drops?"
_RISES: Final = r"涨价?|上涨|增加|增长|提高|加价?|rises?|up|increased by|raised by|plus"
_STEP = re.compile(
    r"(?P<fold>\d{1,2}(?:\.\d)?)\s?折"
    rf"|(?P<down>{_PERCENT}\s?(?:price )?(?:discount|off|cheaper|reduction|decrease|lower)"
    rf"|(?:{_FALLS})了?\s?(?P<less>{_PERCENT}"
    rf"|(?P<up>{_PERCENT}\s?(?:的)?(?:sales )?(?:tax|vat|tip|increase|rise|interest|税|利息|增值税|小费)"
    rf"|(?:{_RISES})了?\s?(?P<more>{_PERCENT}(?!\s?(?:的)?(?:tax|vat|税))",
    re.IGNORECASE,
)
_PRICE = re.compile(r"(?<![\d.])(\d{1,15}(?:,\d{3})*(?:\.\d{1,6})?)(?!\s?(?:%|折|[\d.]))")
_BACK = re.compile(
    r"\b(?:before|original(?:ly)?|at first|list price|regular price)\b|原价|原来|之前|原先|定价|标价", re.IGNORECASE
)


class _Step(NamedTuple):
    label: str
    factor: Fraction


def priced(talk: Talk, text: str) -> str | None:
    """An answer when the text holds one price and at least one discount, tax or change in percent."""
    line = re.sub(r"百分之[零一二三四五六七八九十百点]+", lambda match: with_digits(match.group()), text[:1000])
    line = re.sub(r"打([一二三四五六七八九])([一二三四五六七八九])?折", _fold, line)
    steps = [_step(match) for match in _STEP.finditer(line)]
    prices = _PRICE.findall(_STEP.sub(" ", line)) or _PRICE.findall(with_digits(_STEP.sub(" ", line)))
    if not steps or len(steps) > 5 or not prices:  # noqa: PLR2004 - more is a text, not a sum
        return None
    price = Fraction(prices[0].replace(",", ""))
    factor = Fraction(1)
    for step in steps:
        factor *= step.factor
    if not factor:
        return None
    return _backward(talk, price, steps, factor) if _BACK.search(line) else _forward(talk, price, steps)


def _fold(match: re.Match[str]) -> str:
    digits = [str("一二三四五六七八九".index(sign) + 1) for sign in match.groups() if sign]
    return "打" + ".".join(digits) + "折"


def _step(match: re.Match[str]) -> _Step:
    groups = match.groupdict()
    if groups["fold"]:
        fold = Fraction(groups["fold"])
        return _factor(fold / 10 if fold <= 10 else fold / 100)  # noqa: PLR2004 - 85 is 8.5
    less, more = groups["down"] or groups["less"], groups["up"] or groups["more"]
    return _factor(1 - Fraction(less) / 100 if less else 1 + Fraction(more) / 100)


def _factor(factor: Fraction) -> _Step:
    return _Step(shown(factor), factor)


def _equal(value: Fraction) -> str:
    return "=" if is_exact(value) else "≈"


def _forward(talk: Talk, price: Fraction, steps: list[_Step]) -> str:
    lines: list[str] = []
    value = price
    for number, step in enumerate(steps, 1):
        lines.append(
            f"{number}. {shown(value)} × {step.label} {_equal(value * step.factor)} {shown(value * step.factor)}"
        )
        value *= step.factor
    return talk.say("**Result: {}**", "**结果：{}**").format(shown(value)) + "\n\n" + "\n".join(lines)


def _backward(talk: Talk, price: Fraction, steps: list[_Step], factor: Fraction) -> str:
    result = price / factor
    chain = " × ".join(step.label for step in steps)
    forward = f"*p* × {chain} = {shown(price)}"
    back = f"*p* = {shown(price)} ÷ {shown(factor)} {_equal(result)} {shown(result)}"
    check = f"{shown(result)} × {chain} {_equal(result)} {shown(price)}"
    return talk.say(
        f"**It was {shown(result)} before.**\n\n1. Let *p* be the original price: {forward}\n"
        f"2. {back}\n3. Check: {check}",
        f"**原价是 {shown(result)}。**\n\n1. 设原价为 *p*：{forward}\n2. {back}\n3. 验算：{check}",
    )
