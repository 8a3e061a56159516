"""Calendar questions about dates in the prompt: weekday, days between, days later. No clock is read."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from arena.providers.demo.talk import Talk

_MONTHS: Final = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH: Final = "|".join(f"{name[:3]}(?:{name[3:]})?" if name != "may" else name for name in _MONTHS)
_DATE = re.compile(
    r"(?<!\d)(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})(?!\d)\s?[日号]?"
    rf"|\b({_MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})\b"
    rf"|\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({_MONTH})\.?,?\s+(\d{{4}})\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"(\d{1,6})\s?(?:天|日)\s?(?:之)?(?:后|以后)|(\d{1,6})\s+days?\s+(?:after|later|from)|(?:\+|plus|add)\s*(\d{1,6})\s*days?",
    re.IGNORECASE,
)
_SOONER = re.compile(r"(\d{1,6})\s?(?:天|日)\s?(?:之|以)?前|(\d{1,6})\s+days?\s+(?:before|earlier)", re.IGNORECASE)
_WEEKDAY_EN: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKDAY_ZH: Final = "一二三四五六日"


def dated(talk: Talk, text: str) -> str | None:
    """An answer when the text holds a date: the days between two, a date so many days off, or all about one."""
    matches = list(_DATE.finditer(text[:2000]))
    if not matches:
        return None
    days = [_read(match) for match in matches[:2]]
    if any(day is None for day in days):
        wrong = next(match.group() for match, day in zip(matches, days, strict=False) if day is None)
        return talk.say(f"There is no such date as **{wrong.strip()}**.", f"日历上没有 **{wrong.strip()}** 这一天。")
    known = [day for day in days if day is not None]
    if len(known) == 2:  # noqa: PLR2004
        return _between(talk, known[0], known[1])
    return _moved(talk, known[0], text) or _about(talk, known[0])


def _read(match: re.Match[str]) -> date | None:
    year, month, day, name_1, day_1, year_1, day_2, name_2, year_2 = match.groups()
    name = name_1 or name_2
    try:
        if name is None:
            return date(int(year), int(month), int(day))
        return date(
            int(year_1 or year_2), [full[:3] for full in _MONTHS].index(name[:3].lower()) + 1, int(day_1 or day_2)
        )
    except ValueError:
        return None


def _said(talk: Talk, day: date) -> str:
    month = _MONTHS[day.month - 1].capitalize()
    return talk.say(f"{day.day} {month} {day.year}", f"{day.year}年{day.month}月{day.day}日")


def _weekday(talk: Talk, day: date) -> str:
    return talk.say(_WEEKDAY_EN[day.weekday()], "星期" + _WEEKDAY_ZH[day.weekday()])


def _between(talk: Talk, first: date, second: date) -> str:
    days = abs((second - first).days)
    weeks, rest = divmod(days, 7)
    start, end = _full(talk, first), _full(talk, second)
    return talk.say(
        f"**{days:,} days** lie between {start} and {end}.\n\n"
        f"That is {weeks:,} weeks and {rest} days; the first day is not counted.",
        f"{start}与{end}相隔 **{days:,} 天**。\n\n合 {weeks:,} 周零 {rest} 天（首日不计）。",
    )


def _full(talk: Talk, day: date) -> str:
    return talk.say(f"{_said(talk, day)} ({_weekday(talk, day)})", f"{_said(talk, day)}（{_weekday(talk, day)}）")


def _moved(talk: Talk, day: date, text: str) -> str | None:
    for pattern, sign in ((_LATER, 1), (_SOONER, -1)):
        match = pattern.search(text)
        if match:
            days = int(next(group for group in match.groups() if group))
            try:
                moved = day + timedelta(days=sign * days)
            except OverflowError:
                return talk.say(
                    "That lies beyond the calendar I know (years 1 to 9999).",
                    "这超出了我所知道的历法范围（公元 1 年到 9999 年）。",
                )
            where = talk.say("after" if sign > 0 else "before", "后" if sign > 0 else "前")
            return talk.say(
                f"**{_said(talk, moved)}**, a {_weekday(talk, moved)}: {days:,} days {where} {_said(talk, day)}.",
                f"{_said(talk, day)}的 {days:,} 天{where}是 **{_said(talk, moved)}**，{_weekday(talk, moved)}。",
            )
    return None


def _about(talk: Talk, day: date) -> str:
    number = day.timetuple().tm_yday
    length = date(day.year, 12, 31).timetuple().tm_yday
    leap = length == 366  # noqa: PLR2004
    week = day.isocalendar().week
    said, weekday = _said(talk, day), _weekday(talk, day)
    return talk.say(
        f"{said} is a **{weekday}**.\n\n- day {number} of {length} in that year\n- ISO week {week}\n"
        f"- {day.year} is {'a leap year' if leap else 'no leap year'}",
        f"{said}是**{weekday}**。\n\n- 当年第 {number} 天，全年 {length} 天\n- ISO 第 {week} 周\n"
        f"- {day.year} 年{'是闰年' if leap else '不是闰年'}",
    )
