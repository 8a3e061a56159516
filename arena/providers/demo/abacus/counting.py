"""Counting letters and words, and what can be said about a list of numbers or one whole number."""

from __future__ import annotations

import math
import re
from collections import Counter
from fractions import Fraction
from statistics import median
from typing import TYPE_CHECKING, Final

from arena.providers.demo.abacus.numerals import shown
from arena.providers.demo.talk import quote
from arena.providers.demo.words import sentences

if TYPE_CHECKING:
    from arena.providers.demo.talk import Talk

_LETTERS_EN = re.compile(
    r"how many (?:times (?:does )?)?(?:the )?(?:letters? )?[\"'“‘]?([a-z])[\"'”’]?(?:['’]?s)?"
    r"(?: are| is| do| appear| occur|\s){0,4}(?:there )?(?:in|inside)(?: the)?(?: word)? [\"'“‘]?([a-z][a-z-]{1,40})",
    re.IGNORECASE,
)
_LETTERS_ZH = re.compile(
    r"(?:[“\"「']([^“”\"「」'\n]{1,40})[”\"」']|(?<![A-Za-z])([A-Za-z]{2,40})\s?)(?:这个词|这个单词|这句话|单词|一词)?[里中](?:面)?(?:有|出现)?(?:多少|几)个?(?:字母)?"
    r"[“\"「']?([A-Za-z\u3400-\u9fff])[”\"」']?"
)
_SIGNED: Final = r"(-?\d{1,15}(?:\.\d{1,10})?)"
_BIGGER = re.compile(
    rf"\b(?:bigger|larger|greater|smaller|less)\b.{{0,40}}?{_SIGNED}\s*(?:and|or|than|,|vs\.?|compared to)\s*{_SIGNED}"
    rf"|{_SIGNED}\s*(?:和|与|跟|还是|,|，|、|or|and|vs\.?)\s*{_SIGNED}"
    r".{0,12}?(?:哪个|哪一个|谁|比较|更|is bigger|is larger|is greater)",
    re.IGNORECASE,
)
_LIST_EN = re.compile(
    r"\b(average|mean|sum|total|median|gcd|lcm|greatest common|least common|maximum|minimum|largest|smallest|sort)\b",
    re.IGNORECASE,
)
_LIST_ZH = re.compile(r"平均|总和|之和|求和|中位数|最大公约数|最小公倍数|最大值|最小值|排序")
_PRIME = re.compile(r"\bprime\b|\bfactor(?:s|ise|ize)?\b|质数|素数|分解|因数", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![A-Za-z\d.])-?\d{1,15}(?:\.\d{1,10})?(?!\.?\d)")
_PRIME_LIMIT: Final = 10**10
_CELLS: Final = 60


def counted(talk: Talk, text: str) -> str | None:
    """An answer to "how many r in strawberry", to questions about a list of numbers, and about primes and factors."""
    line = text[:2000]
    return _letters(talk, line) or _compared(talk, line) or _prime(talk, line) or _list(talk, line)


def _letters(talk: Talk, line: str) -> str | None:
    match, turned = _LETTERS_EN.search(line), False
    if match is None:
        match, turned = _LETTERS_ZH.search(line), True
    if match is None:
        return None
    word, letter = (match.group(1) or match.group(2), match.group(3)) if turned else (match.group(2), match.group(1))
    word = quote(word)
    places = [place for place, sign in enumerate(word, 1) if sign.lower() == letter.lower()]
    shown_word = " ".join(f"**{sign}**" if sign.lower() == letter.lower() else sign for sign in word)
    where = talk.say(", ", "、").join(map(str, places))
    en = f"**{len(places)}** × “{letter}” in “{word}”.\n\n{shown_word}" + (f"\n\nPosition: {where}" if places else "")
    zh = f"“{word}”中有 **{len(places)}** 个“{letter}”。\n\n{shown_word}" + (
        f"\n\n位置：第 {where} 个" if places else ""
    )
    return talk.say(en, zh)


def _compared(talk: Talk, line: str) -> str | None:
    match = _BIGGER.search(line)
    if match is None:
        return None
    first, second = (Fraction(group) for group in match.groups() if group)
    if first == second:
        return talk.say(
            f"**Equal:** {shown(first)} = {shown(second)}", f"**一样大：** {shown(first)} = {shown(second)}"
        )
    large, small = max(first, second), min(first, second)
    return talk.say(
        f"**{shown(large)} is bigger than {shown(small)}**, by {shown(large - small)}.",
        f"**{shown(large)} 比 {shown(small)} 大**，相差 {shown(large - small)}。",
    )


def _prime(talk: Talk, line: str) -> str | None:
    numbers = [int(number) for number in _NUMBER.findall(line) if "." not in number]
    if not _PRIME.search(line) or not numbers or not 1 < numbers[0] <= _PRIME_LIMIT:
        return None
    number = numbers[0]
    factors = _factors(number)
    product = " × ".join(map(str, factors))
    if len(factors) == 1:
        return talk.say(
            f"**{number:,} is prime**: no whole number from 2 to {math.isqrt(number):,} divides it.",
            f"**{number:,} 是质数**：从 2 到 {math.isqrt(number):,} 的整数都不能整除它。",
        )
    return talk.say(
        f"**{number:,} is not prime**: {number:,} = {product}", f"**{number:,} 不是质数**：{number:,} = {product}"
    )


def _factors(number: int) -> list[int]:
    found: list[int] = []
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            found.append(divisor)
            number //= divisor
        divisor += 1 if divisor == 2 else 2  # noqa: PLR2004
    return [*found, number] if number > 1 else found


def _list(talk: Talk, line: str) -> str | None:
    numbers = [Fraction(number) for number in _NUMBER.findall(line)[:200]]
    if len(numbers) < 2 or not (_LIST_EN.search(line) or _LIST_ZH.search(line)):  # noqa: PLR2004
        return None
    rows = statistics(talk, numbers)
    whole = [abs(int(number)) for number in numbers if number.denominator == 1]
    if len(whole) == len(numbers) <= 20 and all(whole):  # noqa: PLR2004 - the lcm of more is of no use to anybody
        rows += [
            (talk.say("Greatest common divisor", "最大公约数"), f"{math.gcd(*whole):,}"),
            (talk.say("Least common multiple", "最小公倍数"), shown(Fraction(math.lcm(*whole)))),
        ]
    rows.append((talk.say("In order", "从小到大"), ", ".join(shown(number) for number in sorted(numbers)[:20])))
    return table(talk.say("Measure", "项目"), talk.say("Value", "数值"), rows)


def statistics(talk: Talk, numbers: list[Fraction]) -> list[tuple[str, str]]:
    """Sum, mean, median and range of a list as rows of a table."""
    total = sum(numbers, Fraction(0))
    return [
        (talk.say("Numbers", "个数"), str(len(numbers))),
        (talk.say("Sum", "总和"), shown(total)),
        (talk.say("Mean", "平均数"), shown(total / len(numbers))),
        (talk.say("Median", "中位数"), shown(Fraction(median(numbers)))),
        (talk.say("Smallest to largest", "最小到最大"), f"{shown(min(numbers))} … {shown(max(numbers))}"),
    ]


def measured(talk: Talk, text: str) -> str:
    """A table of what can be counted in any text, even an empty one."""
    visible = re.sub(r"\s", "", text)
    words = re.findall(r"[^\W\d_]+", re.sub(r"[\u3400-\u9fff]", " ", text))
    han = re.findall(r"[\u3400-\u9fff]", text)
    common = Counter(sign.lower() for sign in visible if sign.isalpha()).most_common(1)
    rows = [
        (talk.say("Characters without spaces", "字符数（不含空格）"), f"{len(visible):,}"),
        (talk.say("Chinese characters", "汉字数"), f"{len(han):,}"),
        (talk.say("Words in letters", "英文单词数"), f"{len(words):,}"),
        (talk.say("Sentences", "句子数"), f"{len(sentences(text)):,}"),
    ]
    if words and not talk.zh:
        rows.append(("Longest word", quote(max(words, key=len), _CELLS) or "–"))
    if common and common[0][1] > 1 and not talk.zh:
        rows.append(("Most frequent letter", f"{common[0][0]} ({common[0][1]:,}×)"))
    numbers = [Fraction(number) for number in _NUMBER.findall(text)[:200]]
    if len(numbers) > 2:  # noqa: PLR2004 - two numbers are seldom a list
        rows += statistics(talk, numbers)[1:3]
    return table(talk.say("Counted", "统计"), talk.say("Value", "数值"), rows)


def table(left: str, right: str, rows: list[tuple[str, str]]) -> str:
    """A markdown table of two columns."""
    return "\n".join([f"| {left} | {right} |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in rows)])
