"""Rows of a file that cannot be used, and values for messages about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, cast

from arena.domain.errors import Param
from arena.domain.terms import JsonObject

_SHOWN: Final = 60
CellKind = Literal["date", "time", "error"]
_KINDS: Final[Mapping[CellKind, tuple[str, str]]] = {
    "date": ("a date", "format the cell as text and type it again"),
    "time": ("a time", "format the cell as text and type it again"),
    "error": ("an error value", "type what is meant"),
}
"""Nouns and remedies of the kinds of cells that hold no text."""


@dataclass(frozen=True, slots=True)
class BadRow:
    """An unusable row: its first line (from 1) and the reason."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Refusal:
    """An unusable row of one of several files: its file, its first line (from 1), and the reason.

    One that only repeats an earlier row of the same file has that row's line in `repeats`. `params` are the rule and
    the other parameters of a reason that has one, by which it is said in other languages.
    """

    file: str
    line: int
    reason: str
    repeats: int | None = None
    params: Mapping[str, Param] | None = None

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class NoText:
    """A cell of a spreadsheet that holds no text or number, such as a date: its kind, and its value as text."""

    kind: CellKind
    text: str

    def refusal(self, column: str) -> Unusable:
        """The reason why a row with this cell in a column of texts is unusable."""
        noun, remedy = _KINDS[self.kind]
        return Unusable(f"{column} is {noun}; {remedy}", rule=f"cell_{self.kind}", column=column)


class Unusable(ValueError):
    """One row is unusable; the text has the reason, with parameters where it has a `rule`. It becomes a `BadRow`."""

    def __init__(self, *reason: object, **params: Param) -> None:
        super().__init__(*reason)
        self.params = params


def distinct_names(header: Iterable[str]) -> list[str]:
    """The names of columns, each once: the first of a name keeps it, a later one gets its number, as in "Answer #2"."""
    names, taken, counts = list[str](), set[str](), Counter[str]()
    for name in header:
        unique = name
        while name and unique in taken:
            counts[name] += 1
            unique = f"{name} #{counts[name] + 1}"
        taken.add(unique)
        names.append(unique)
    return names


def shown(value: object) -> str:
    """A value from a file for a message: quoted, escaped, shortened."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    quoted = repr(value[:_SHOWN] if isinstance(value, str) else value)
    return quoted if len(quoted) <= _SHOWN else f"{quoted[:_SHOWN]}…"


def mapping(value: object) -> JsonObject:
    """The fields of a JSON row; raises `Unusable` if it is unusable or not an object."""
    if isinstance(value, Unusable):
        raise value
    if not isinstance(value, dict):
        raise Unusable(f"not a JSON object: {shown(value)}", rule="json")
    return cast("JsonObject", value)
