"""How often a letter stands in a word, and which of two numbers is larger."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from arena.adapters.providers.demo.numerals import shown

if TYPE_CHECKING:
    from arena.adapters.providers.demo.question import Question

_LETTERS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        (
            r"how many (?:times (?:does )?)?(?:the )?(?:letters? )?[\"'“‘]?(?P<letter>[a-z])[\"'”’]?(?:['’]?s)?"
            r"(?: are| is| do| does| appear| occur){0,2}(?: there)? in(?: the)?"
            r"(?: word)? [\"'“‘]?(?P<word>[a-z]{2,40})\b"
        ),
        (
            r"[\"“「']?(?P<word>[a-z]{2,40})[\"”」']?\s?(?:这个|一)?(?:单词|词)?[里中]面?有?(?:多少|几)个?(?:字母)?\s?"
            r"[\"“「']?(?P<letter>[a-z])\b"
        ),
    )
)
_NUMBER: Final = r"(-?\d{1,15}(?:\.\d{1,10})?)"
_LARGER: Final = re.compile(
    rf"\b(?:bigger|larger|greater|smaller|less)\b.{{0,20}}?{_NUMBER}\s*(?:and|or|than|,|vs\.?)\s*{_NUMBER}"
    rf"|{_NUMBER}\s*(?:和|与|跟|还是|,|、|or|and|vs\.?)\s*{_NUMBER}.{{0,8}}?(?:哪个|哪一个|谁|更|is bigger|is larger)",
    re.IGNORECASE,
)


def counted(question: Question) -> tuple[str, ...] | None:
    """The number of a letter in a word. The word is not repeated, so that no answer says what a prompt wants it to."""
    match = next((found for pattern in _LETTERS if (found := pattern.search(question.text))), None)
    if match is None:
        return None
    places = [place for place, sign in enumerate(match["word"].lower(), 1) if sign == match["letter"].lower()]
    number, where = len(places), ", ".join(map(str, places))
    if not places:
        return (question.say("**0**: the letter is not in the word.", "**0** 个：单词里没有这个字母。"),)
    return (
        question.say(f"**{number}**", f"**{number}** 个"),
        question.say(f"Counted letter by letter: it stands at {where}.", f"逐个字母数：出现在第 {where} 位。"),
    )


def compared(question: Question) -> tuple[str, ...] | None:
    """The larger of two numbers, and by how much."""
    match = _LARGER.search(question.text)
    if match is None:
        return None
    small, large = sorted(Fraction(group) for group in match.groups() if group)
    if small == large:
        return (question.say("They are equal.", "两个数一样大。"),)
    return (
        question.say(
            f"**{shown(large)}** is larger than {shown(small)}.", f"**{shown(large)}** 比 {shown(small)} 大。"
        ),
        question.say(
            f"Subtracted: {shown(large)} − {shown(small)} = {shown(large - small)}, which is above zero.",
            f"相减：{shown(large)} − {shown(small)} = {shown(large - small)}，大于零。",
        ),
    )
