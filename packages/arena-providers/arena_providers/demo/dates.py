"""Questions about the calendar that need no clock: days between two dates, days of the week, leap years."""

from __future__ import annotations

import calendar
import re
from datetime import date
from typing import TYPE_CHECKING, Final, NamedTuple

from arena_providers.demo.arithmetic import with_digits
from arena_providers.demo.script import script

if TYPE_CHECKING:
    from arena_providers.demo.script import Answer, Question

_MONTHS: Final = tuple(name[:3].lower() for name in calendar.month_name)
_PAIR: Final = 2
_FIRST_YEAR: Final = 1753
"""First year in which all lands of the Gregorian calendar's first two centuries had it."""
_COMMON_YEAR: Final = 2023
"""Stands for the year of two dates without one, which are on the same side of a leap day."""


class WrittenDate(NamedTuple):
    """A date as a prompt writes it; `year` is 0 if it has none."""

    year: int
    month: int
    day: int


def solve_date(question: Question) -> Answer | None:
    """The answer to the first kind of question about dates that the whole prompt asks."""
    text = with_digits(question.text) if question.zh else question.text
    return _test_leap_year(question, text) or _name_weekday(question, text) or _count_days(question, text)


def _test_leap_year(question: Question, text: str) -> Answer | None:
    match = script().dates["leap"].fullmatch(text)
    if match is None:
        return None
    year = int(match["year"] or match["zhyear"])
    return question.say("leap" if calendar.isleap(year) else "no_leap", year=year) if year >= _FIRST_YEAR else None


def _name_weekday(question: Question, text: str) -> Answer | None:
    days, rest = _days(text)
    if len(days) != 1 or not script().dates["weekday"].fullmatch(rest):
        return None
    day = _date(*days)
    if day is None or day.year < _FIRST_YEAR:
        return None
    return question.say("weekday", date=day, en=f"{day:%A}", zh="一二三四五六日"[day.weekday()])


def _count_days(question: Question, text: str) -> Answer | None:
    """The days from one date to a later one; a year that only one of them has is that of both."""
    days, rest = _days(text)
    if len(days) != _PAIR or not script().dates["between"].fullmatch(rest):
        return None
    years = [day.year for day in days if day.year] or [_COMMON_YEAR]
    if not any(day.year for day in days) and len({day[1:] > (2, 28) for day in days}) > 1:
        return None  # a leap day may lie between them
    first, last = (_date(day._replace(year=day.year or years[0])) for day in days)
    if first is None or last is None or first >= last:
        return None
    return question.say("days", count=f"{(last - first).days:,}")


def _days(text: str) -> tuple[list[WrittenDate], str]:
    """The dates of a text, and the text with a sign in the place of each."""
    pattern = script().dates["date"]
    days: list[WrittenDate] = []
    for match in pattern.finditer(text):
        groups = {name.rstrip("0123456789"): value for name, value in match.groupdict().items() if value}
        month = _MONTHS.index(groups["name"][:3].lower()) if "name" in groups else int(groups["month"])
        days.append(WrittenDate(int(groups.get("year", 0)), month, int(groups["day"])))
    return days, re.sub(r"\s+", " ", pattern.sub("§", text)).strip(" .,?!。？")


def _date(day: WrittenDate) -> date | None:
    try:
        return date(*day)
    except ValueError:
        return None
