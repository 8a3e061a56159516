"""Dates of birth of people who may be alive: a full date beside words about a birth. For texts in lower case."""

from __future__ import annotations

import re
from typing import Final

_MONTH: Final = (
    r"(?:jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|février|mar(?:ch|s|zo)?|märz|apr(?:il)?|avril|abril|may|mai|mayo"
    r"|june?|juni|juin|junio|july?|juli|juillet|julio|aug(?:ust)?|août|agosto|sept?(?:ember|embre|iembre)?"
    r"|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?|de[cz](?:ember|iembre)?|décembre|enero|febrero"
    r"|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря)\.?"
)
_YEAR: Final = r"(?:19[2-9]\d|20[0-4]\d)"
"""Years of birth of people who may be alive."""
_YEARS: Final = rf"(?:{_YEAR}|'?\d\d)(?!\d)"
_DAY: Final = r"(?:3[01]|[12]\d|0?[1-9])"
_SPOKEN: Final = r"[\d一二三四五六七八九十廿]{1,3}"
_DATE: Final = re.compile(
    rf"(?<!\d)(?:{_YEAR}(?: ?[-./] ?\d{{1,2}} ?[-./] ?{_DAY}(?!\d)|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d))"
    rf"|\d{{1,2}}(?:/\d{{1,2}}/|-\d{{1,2}}-| ?\. ?\d{{1,2}} ?\. ?){_YEARS}"
    rf"|{_DAY}(?:st|nd|rd|th|er|\.)?(?: day)?(?: of| de)? ?{_MONTH},?(?: of| de| del)? ?{_YEARS}"
    rf"|(?:{_YEAR}|\d\d) ?年 ?(?:农历|阴历)?{_SPOKEN} ?月 ?初?{_SPOKEN} ?[日号]?)"
    rf"|(?<![a-z]){_MONTH} ?{_DAY}(?:st|nd|rd|th)?,? ?(?:of )?{_YEARS}"
)
"""A full date in digits or words."""
_FIELD: Final = re.compile(
    r"(?:date of birth|birth ?date|(?<![a-z])d\.?o\.?b\b\.?|birthday|b-?day|geburtsdatum|geburtstag|geb\.|geboren am"
    r"|née? le|nacid[oa] (?:el|em)|fecha de nacimiento|date de naissance|data di nascita|nat[oa] il|data de nascimento"
    r"|дата рождения|день рождения|родил(?:ся|ась)|出生(?:日期|年月日?|时间)|生日|生辰|阳历|农历|公历|تاريخ الميلاد)"
    r"[^\d]{0,20}\Z"
)
"""The name of a field for a date of birth, immediately before the date."""
_PERSON: Final = (
    r"(?:(?<![a-z])(?:i|we|my|our|patient|client|applicant|candidate|employee|tenant|student|customer|claimant|daughter"
    r"|son|baby|child|kid|wife|husband|mr\.?|mrs\.?|ms\.?|ich|meine?|unsere?|je suis|ma|mon|я)(?![a-z])"
    r"|我|本人|孩子|儿子|女儿|宝宝|患者|病人|老公|老婆|妻子|丈夫|爸|妈|父亲|母亲|哥|姐|弟|妹|爷|奶|客户|女孩|男孩"
    r"|闺蜜|男友|女友|朋友|同事|儿子|女儿|学生|员工)"
)
"""Words for people around the author, not for historical figures."""
_BORN_BEFORE: Final = re.compile(
    rf"{_PERSON}[^.;。\n\d]{{0,40}}(?:born|geboren|出生|生于|生在)[^\d.;。\n]{{0,20}}\Z"
    r"|[a-z], (?:who was )?born(?: on)?(?: the)? ?\Z"
)
_PERSON_BEFORE: Final = re.compile(rf"{_PERSON}[^.;。\n\d]{{0,16}}\Z")
_BORN_AFTER: Final = re.compile(
    r" ?(?:[早中下晚上凌子丑寅卯辰巳午未申酉戌亥][^\n,。]{0,8})?(?:出生|生(?![产成活效])|的?生日|born|geboren)"
)
_BIRTHDAY_AFTER: Final = re.compile(r" is (?:my|our) (?:\w+ )?(?:birthday|birth ?date|date of birth)")
_FORTUNE: Final = re.compile(r"八字|算命|命盘|命理|星盘|紫微|birth chart|horoscope|natal chart")
"""Fortune telling, where any full date is a date of birth."""
_BEFORE, _AFTER = 64, 32
"""Characters before and after a date in which the words are searched for."""


def holds_birth(text: str) -> bool:
    """Whether a text in lower case has a full date of birth."""
    return any(_is_birth(text, *match.span()) for match in _DATE.finditer(text))


def _is_birth(text: str, start: int, end: int) -> bool:
    before, after = text[max(0, start - _BEFORE) : start], text[end : end + _AFTER]
    return bool(
        _FIELD.search(before)
        or _BORN_BEFORE.search(before)
        or (_BORN_AFTER.match(after) and _PERSON_BEFORE.search(before))
        or _BIRTHDAY_AFTER.match(after)
        or _FORTUNE.search(text)
    )
