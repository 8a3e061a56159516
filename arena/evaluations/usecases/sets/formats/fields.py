"""Fields of other tools' files: numbers as ids, words that mean blank, several spellings of one name."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from arena.adapters.row_files.rows import NoText, Unusable, distinct_names, mapping, shown

Fields = dict[str, object]
"""Fields of a question by name, not validated."""
Row = tuple[int, object]
"""The line of a row, and its fields, or an `Unusable` with the reason."""

PLANNED: Final = "planned"
"""Field of a node of a tree of tasks: the fields of its example question, or None."""
_BLANKS: Final = frozenset({"", "na", "n/a", "nan", "none", "null"})
_NOTHING: Final[tuple[object, ...]] = (None, "", [], {})
_MAX_UNUSED: Final = 30
"""Most unused columns that are named."""
_FILLERS: Final = re.compile(r"[\s_\-/、，,&]+")


def parse_rows(rows: Iterable[Row], parse: Callable[[dict[str, object]], Fields | None]) -> Iterator[Row]:
    """Parse rows; one that cannot be used becomes an `Unusable`, one without a new question is skipped."""
    for line, value in rows:
        try:
            fields = parse(mapping(value))
        except Unusable as error:
            yield line, error
        else:
            if fields is not None:
                yield line, fields


def by_header(header: list[str], rows: Iterable[tuple[int, list[object]]]) -> Iterator[tuple[int, dict[str, object]]]:
    """Cells by the names of their columns, which `distinct_names` tells apart."""
    names = distinct_names(header)
    for line, cells in rows:
        yield line, dict(zip(names, cells, strict=False))


def text(value: object) -> str | None:
    """The text of a cell; None if it is blank or a word such as "n/a". 5.0 becomes 5."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    result = str(value).strip() if isinstance(value, str | int | float) else ""
    return None if result.casefold() in _BLANKS else result


def require(row: Mapping[str, object], field: str) -> str:
    """The text of a required field; raises Unusable without it."""
    result = text(row.get(field))
    if result is None:
        problem = "missing" if row.get(field) is None else f"no text: {shown(row[field])}"
        raise Unusable(f"{field}: {problem}", rule="missing", column=field)
    return result


def check_cells(row: Mapping[str, object], heads: Mapping[str, str]) -> None:
    """Refuse a row of a spreadsheet with a date or another cell without text in one of these columns, by their heads.

    Raises:
        Unusable: It has one.
    """
    for name, head in heads.items():
        if isinstance(cell := row.get(name), NoText):
            raise cell.refusal(head)


def list_of(row: Mapping[str, object], field: str) -> list[object]:
    """The elements of a required list; raises Unusable without it."""
    value: Any = row.get(field)
    if not isinstance(value, list):
        problem = "missing" if value is None else f"not a list: {shown(value)}"
        raise Unusable(f"{field}: {problem}", rule="missing" if value is None else "form", column=field)
    return value  # pyright: ignore[reportUnknownVariableType]


def name_by_content(*parts: str) -> str:
    """An id for a question without one: a hash of its content, the same in every version."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Unused:
    """The columns of a table that hold something and are not used, the first ones by name."""

    def __init__(self) -> None:
        self._names: dict[str, None] = {}

    def note(self, row: Mapping[str, object], used: Collection[str]) -> None:
        """Add the columns of a row that have a value and are not among the `used` ones."""
        for name, value in row.items():
            if name and name not in used and value not in _NOTHING and len(self._names) < _MAX_UNUSED:
                self._names[name] = None

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)


class Spellings:
    """The first spelling of names that differ only in case, spaces and dashes."""

    def __init__(self) -> None:
        self._spellings: dict[str, str] = {}

    def of(self, name: str | None) -> str | None:
        """The first spelling of a name."""
        return None if name is None else self._spellings.setdefault(_FILLERS.sub("", name).casefold(), name)
