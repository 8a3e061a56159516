"""Checks of single fields; each returns a value the log accepts or raises `Unusable` with the reason."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from math import isfinite
from typing import Any, Final, cast

from arena.exchange.rows import Unusable
from arena.language import LANGUAGES
from arena.terms import Outcome
from arena.text import well_formed

NAME_LIMIT: Final = 80
ID_LIMIT: Final = 64
CATEGORY_LIMIT: Final = 40
REASON_LIMIT: Final = 200
VOTER_LIMIT: Final = 1_000
TURNS_LIMIT: Final = 1_000_000
COUNTS: Final = 8
COUNT_LIMIT: Final = 2**31
SECONDS_LIMIT: Final = 1e9
FIRST_YEAR: Final = 1970

_SHOWN: Final = 60
_CODE = re.compile(r"[a-z]{2,3}(-[a-z]{2,4})?|other")
_LANGUAGE_NAMES: Final = {
    "arabic": "ar",
    "german": "de",
    "english": "en",
    "spanish": "es",
    "french": "fr",
    "hindi": "hi",
    "indonesian": "id",
    "italian": "it",
    "japanese": "ja",
    "korean": "ko",
    "dutch": "nl",
    "polish": "pl",
    "portuguese": "pt",
    "russian": "ru",
    "thai": "th",
    "turkish": "tr",
    "vietnamese": "vi",
    "chinese": "zh",
}
_WINNERS: Final = {
    **dict.fromkeys(("left", "a", "modela"), Outcome.A),
    **dict.fromkeys(("right", "b", "modelb"), Outcome.B),
    **dict.fromkeys(("tie", "draw"), Outcome.TIE),
    **dict.fromkeys(("bothbad", "tie(bothbad)"), Outcome.BOTH_BAD),
}
_FILLERS = re.compile(r"[\s_-]+")


def shown(value: object) -> str:
    """A stranger's value as it may stand in a message: quoted, escaped, short."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    quoted = repr(value[:_SHOWN] if isinstance(value, str) else value)
    return quoted if len(quoted) <= _SHOWN else f"{quoted[:_SHOWN]}…"


def mapping(value: object) -> dict[str, Any]:
    """The fields of a JSON row."""
    if isinstance(value, Unusable):
        raise value
    if not isinstance(value, dict):
        raise Unusable(f"not a JSON object: {shown(value)}")
    return cast("dict[str, Any]", value)


def text(value: object, field: str, limit: int) -> str | None:
    """Printable text without space at its ends; None for nothing."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise Unusable(f"{field}: not a text: {shown(value)}")
    trimmed = well_formed(value).strip()
    if len(trimmed) > limit or not trimmed.isprintable():
        raise Unusable(f"{field}: not 1 to {limit} printable characters: {shown(value)}")
    return trimmed or None


def required(value: object, field: str, limit: int) -> str:
    """As `text`, and there must be some."""
    found = text(value, field, limit)
    if found is None:
        raise Unusable(f"{field}: missing")
    return found


def names(a: object, b: object, fields: tuple[str, str]) -> tuple[str, str]:
    """Two different names."""
    left, right = required(a, fields[0], NAME_LIMIT), required(b, fields[1], NAME_LIMIT)
    if left == right:
        raise Unusable(f"{fields[0]} and {fields[1]} are the same: {shown(left)}")
    return left, right


def winner(value: object, field: str) -> Outcome:
    """The outcome that one of the usual words stands for."""
    word = required(value, field, NAME_LIMIT)
    found = winner_word(word)
    if found is None:
        raise Unusable(f"{field}: none of left, right, model_a, model_b, a, b, tie, both_bad: {shown(word)}")
    return found


def winner_word(word: str) -> Outcome | None:
    """As `winner`, None for any other word. Bare numbers are not among them: 1 is left to some and right to others."""
    return _WINNERS.get(_FILLERS.sub("", word.casefold()))


def outcome(value: object) -> Outcome:
    """Our own word for an outcome."""
    try:
        return Outcome(cast("str", value))
    except ValueError:
        raise Unusable(f"outcome: none of {', '.join(Outcome)}: {shown(value)}") from None


def voter(value: object, field: str) -> str | None:
    """Who voted, as the file says it; None for nobody."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return text(value, field, VOTER_LIMIT)


def turns(value: object, field: str) -> int | None:
    """A number of turns from 1."""
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= TURNS_LIMIT:
        raise Unusable(f"{field}: not a whole number from 1: {shown(value)}")
    return value


def counts(value: object, field: str) -> list[int] | None:
    """What was measured of two answers: as many whole numbers from 0 for either."""
    if value is None:
        return None
    found = cast("list[object]", value) if isinstance(value, list) else []
    whole = [each for each in found if isinstance(each, int) and not isinstance(each, bool) and 0 <= each < COUNT_LIMIT]
    if len(whole) != COUNTS or len(found) != COUNTS:
        raise Unusable(f"{field}: not {COUNTS} whole numbers from 0")
    return whole


def number(value: object, field: str) -> int | None:
    """A place in a log, from 1."""
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value < 2**63:
        raise Unusable(f"{field}: not a whole number from 1: {shown(value)}")
    return value


def seconds(value: object, field: str) -> float | None:
    """A duration in seconds."""
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= SECONDS_LIMIT:
        raise Unusable(f"{field}: not a number of seconds: {shown(value)}")
    return float(value)


def moment(value: object, field: str) -> datetime | None:
    """An ISO 8601 date or time (UTC unless it says otherwise), or seconds since 1970."""
    if value is None:
        return None
    try:
        found = _moment(value)
    except (ValueError, OverflowError, OSError):
        found = None
    if found is None or found.year < FIRST_YEAR:
        raise Unusable(f"{field}: not a time: {shown(value)}")
    return found


def _moment(value: object) -> datetime | None:
    if isinstance(value, str):
        parsed = datetime.fromisoformat(value)
        return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
        return datetime.fromtimestamp(value, UTC)
    return None


def language_code(value: object, field: str) -> str | None:
    """A language code as we write it."""
    found = text(value, field, NAME_LIMIT)
    if found is not None and not _CODE.fullmatch(found):
        raise Unusable(f"{field}: not a language code: {shown(value)}")
    return found


def language_name(value: object) -> str | None:
    """The code of a language given by its English name or code; None for one that we do not tell apart."""
    word = value.strip().casefold() if isinstance(value, str) else ""
    return word if word in LANGUAGES else _LANGUAGE_NAMES.get(word)
