"""A row of a file that cannot be used, with the line and the reason, and words for what is in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from arena.domain.terms import JsonObject

_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that cannot be used: the line it starts on (from 1) and why."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class Unusable(ValueError):
    """One row cannot be used; the text says why. Readers turn it into a `BadRow`."""


def shown(value: object) -> str:
    """A value from a file as it may appear in a message: quoted, escaped, short."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    quoted = repr(value[:_SHOWN] if isinstance(value, str) else value)
    return quoted if len(quoted) <= _SHOWN else f"{quoted[:_SHOWN]}…"


def mapping(value: object) -> JsonObject:
    """The fields of a JSON row."""
    if isinstance(value, Unusable):
        raise value
    if not isinstance(value, dict):
        raise Unusable(f"not a JSON object: {shown(value)}")
    return cast("JsonObject", value)
