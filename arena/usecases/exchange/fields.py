"""Types of the fields of imported rows, which Pydantic cleans and checks; `parsed` names the field of an error."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Final, Generic, TypeVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    PlainValidator,
    Strict,
    TypeAdapter,
    ValidationError,
    WrapValidator,
)
from pydantic_core import PydanticCustomError

from arena.adapters.row_files.rows import Unusable, shown
from arena.domain.terms import LANGUAGES, Outcome
from arena.domain.text import UNSTORABLE, well_formed

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import ValidatorFunctionWrapHandler
    from pydantic_core import ErrorDetails

FIRST_YEAR: Final = 1970
NAME_LIMIT: Final = 80
"""Maximum characters of the name of a model, and of a person who excludes a vote."""
REASON_LIMIT: Final = 200
"""Maximum characters of the reason of an exclusion."""
UNSTORABLE_TYPE: Final = "unstorable"
MAX_CELLS: Final = 1 << 14
"""Short cells of a column that its check remembers."""
_COUNTS: Final = 8
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
    **dict.fromkeys(("left", "a", "modela", "模型a"), Outcome.A),
    **dict.fromkeys(("right", "b", "modelb", "模型b"), Outcome.B),
    **dict.fromkeys(("tie", "draw", "neither", "平手", "平局", "和局"), Outcome.TIE),
    **dict.fromkeys(("bothbad", "tie(bothbad)"), Outcome.BOTH_BAD),
}
_SECONDS: Final = re.compile(r"\d{9,13}(\.\d{1,9})?")
"""Seconds or milliseconds as text; shorter ones may be a date without dashes."""
_MILLISECONDS: Final = 100_000_000_000
"""Numbers from here on are milliseconds: as seconds they would be in the year 5138."""
_FILLERS = re.compile(r"[\s_-]+")
_NOT_WHOLE: Final = "not a whole number from 1"
_TIME: Final = "not a time"
REASONS: Final = {
    "outcome": f"none of {', '.join(Outcome)}",
    "winner": "none of left, right, model_a, model_b, a, b, tie, both_bad or the name of a model",
    "language": "not a language code",
    "style": f"not {_COUNTS} whole numbers from 0",
    "turns": _NOT_WHOLE,
    "turn": _NOT_WHOLE,
    "number": _NOT_WHOLE,
    "seconds": "not a number of seconds",
    "probability": "not a probability above 0",
    "counted": "not true without a reason or false with one",
    "created_at": _TIME,
    "updated_at": _TIME,
    "tstamp": _TIME,
    "rating": "neither 1 nor -1",
    "sibling_model_ids": "not a list of names",
}
"""Reasons for refusing a field that is not a plain text."""

Row = TypeVar("Row", bound=BaseModel)
Cell = TypeVar("Cell", bound=str | None)


def parsed(model: type[Row], row: Mapping[str, object], names: Mapping[str, str] | None = None) -> Row:
    """The row as a checked model; `names` has the file's names of fields, for messages.

    Raises:
        Unusable: A field does not fit; the message has its name and value.
    """
    try:
        return model.model_validate(row)
    except ValidationError as error:
        result = error.errors(include_url=False)[0]
    field = str(result["loc"][0])
    raise Unusable(f"{(names or {}).get(field, field)}: {_reason(field, result)}")


class CellCheck(Generic[Cell]):
    """The check of the cells of one column of texts; it remembers short cells, as most rows repeat those of others."""

    __slots__ = ("_check", "_field", "_remembered", "column")

    def __init__(self, column: str, field: str, kind: object) -> None:
        """Check for `kind`, a type of this module; `field` is the name that `REASONS` knows."""
        self.column, self._field = column, field
        self._check: Callable[[object], Cell] = TypeAdapter[Cell](cast("type[Cell]", kind)).validate_python
        self._remembered: Callable[[object], Cell] = lru_cache(MAX_CELLS)(self._check)

    def cell(self, row: Mapping[str, object]) -> Cell:
        """The checked cell of a row.

        Raises:
            Unusable: It does not fit; the message has the name of the column and the value.
        """
        value = cast("str", row[self.column])
        try:
            return (self._remembered if len(value) <= NAME_LIMIT else self._check)(value)
        except ValidationError as error:
            result = error.errors(include_url=False)[0]
        raise Unusable(f"{self.column}: {_reason(self._field, result)}")


def _reason(field: str, fault: ErrorDetails) -> str:
    value, is_field = fault["input"], len(fault["loc"]) <= 1
    if is_field and (value is None or fault["type"] == "missing"):
        return "missing"
    if fault["type"] == UNSTORABLE_TYPE:
        return f"{UNSTORABLE}: {shown(value)}"
    words = "not a text" if fault["type"] == "string_type" else REASONS.get(field, fault["msg"])
    return f"{words}: {shown(value)}"


def check_different(a: str, b: str, fields: tuple[str, str]) -> None:
    """Raise Unusable for a vote on a model against itself."""
    if a == b:
        raise Unusable(f"{fields[0]} and {fields[1]} are the same: {shown(a)}")


def winner_word(word: str) -> Outcome | None:
    """The outcome of a usual word; None for any other, such as 1, which may be left or right."""
    return _WINNERS.get(_FILLERS.sub("", word.casefold()))


def language_name(value: object) -> str | None:
    """The code of a language from its English name or code; None if the arena has no such language."""
    word = value.strip().casefold() if isinstance(value, str) else ""
    return word if word in LANGUAGES else _LANGUAGE_NAMES.get(word)


def _clean(value: object) -> object:
    """Text without space at its ends, None if it is blank; other values as they are."""
    if not isinstance(value, str):
        return value
    if well_formed(value) != value:
        raise PydanticCustomError(UNSTORABLE_TYPE, UNSTORABLE)
    return value.strip() or None


def _printable(limit: int) -> AfterValidator:
    refusal = PydanticCustomError("line", "not 1 to {limit} printable characters", {"limit": limit})

    def check(text: str) -> str:
        if len(text) > limit or not text.isprintable():
            raise refusal
        return text

    return AfterValidator(check)


def _winner(value: object) -> object:
    return (winner_word(value) or value) if isinstance(value, str) else value


def _voter(value: object) -> object:
    return str(value) if type(value) is int else _clean(value)


def _moment(value: object) -> datetime | None:
    """A time from ISO 8601 (in UTC if it has no offset), or seconds or milliseconds since 1970."""
    if value is None:
        return None
    try:
        result = _parsed_moment(value)
    except (OverflowError, OSError):
        raise ValueError from None
    if result is None or result.year < FIRST_YEAR:
        raise ValueError
    return result


def _instant(value: object) -> datetime:
    """A time that must not be missing."""
    if (moment := _moment(value)) is None:
        raise ValueError
    return moment


def _parsed_moment(value: object) -> datetime | None:
    if isinstance(value, str) and _SECONDS.fullmatch(value):
        value = float(value)
    if isinstance(value, str):
        parsed = datetime.fromisoformat(value)
        return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
        return datetime.fromtimestamp(value / 1_000 if abs(value) >= _MILLISECONDS else value, UTC)
    return None


def _if_fit(value: object, check: ValidatorFunctionWrapHandler) -> object:
    """The value if it fits, else None: what a rating does not need costs no vote."""
    try:
        return check(value)
    except ValidationError:
        return None


def _composed(text: str) -> str:
    """The text in NFC, in which a name typed on any system is one name."""
    return unicodedata.normalize("NFC", text)


CLEAN: Final = BeforeValidator(_clean)
Id = Annotated[str, Strict(), _printable(64), CLEAN]
Name = Annotated[str, Strict(), AfterValidator(_composed), _printable(NAME_LIMIT), CLEAN]
Category = Annotated[Annotated[str, Strict(), _printable(40)] | None, CLEAN]
Reason = Annotated[Annotated[str, Strict(), _printable(REASON_LIMIT)] | None, CLEAN]
Voter = Annotated[Annotated[str, Strict(), _printable(1_000)] | None, BeforeValidator(_voter)]
Model = Annotated[Annotated[str, Strict(), AfterValidator(_composed)] | None, CLEAN]
"""A model's name of any length, from another program."""
Winner = Annotated[Outcome, BeforeValidator(_winner), CLEAN]
Language = Annotated[Annotated[str, Strict(), Field(pattern=r"^([a-z]{2,3}(-[a-z]{2,4})?|other)$")] | None, CLEAN]
Turns = Annotated[int, Strict(), Field(ge=1, le=1_000_000)] | None
Number = Annotated[int, Strict(), Field(ge=1, lt=2**63)] | None
"""Number of a vote in a log."""
Seconds = Annotated[float, Strict(), Field(ge=0, le=1e9, allow_inf_nan=False)] | None
Probability = Annotated[float, Strict(), Field(gt=0, le=1, allow_inf_nan=False)] | None
_Count = Annotated[int, Strict(), Field(ge=0, lt=2**31)]
Counts = Annotated[list[_Count], Strict(), Field(min_length=_COUNTS, max_length=_COUNTS)] | None
"""Measurements of two answers, four of each."""
Moment = Annotated[datetime | None, PlainValidator(_moment)]
IF_FIT: Final = WrapValidator(_if_fit)
"""Of an optional field of another program: None in place of a value that does not fit."""
Instant = Annotated[datetime, PlainValidator(_instant)]
