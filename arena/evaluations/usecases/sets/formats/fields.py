"""Fields as other people's files have them: numbers for ids, words for nothing, several spellings of one name."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from arena.adapters.row_files.rows import Unusable, mapping, shown

Fields = dict[str, object]
"""Fields of a question by name, not yet checked."""
Row = tuple[int, object]
"""The line of a row, and its fields, or an `Unusable` that says why there are none."""

PLANNED: Final = "planned"
"""Field of a node of a tree of tasks: the fields of its question, or None where it has no example."""
_NOTHING: Final = frozenset({"", "na", "n/a", "nan", "none", "null"})
_FILLERS: Final = re.compile(r"[\s_\-/、，,&]+")


def parse_rows(rows: Iterable[Row], parse: Callable[[dict[str, object]], Fields | None]) -> Iterator[Row]:
    """Parse row after row; one that cannot be used becomes an `Unusable`, one without a question of its own nothing."""
    for line, value in rows:
        try:
            fields = parse(mapping(value))
        except Unusable as error:
            yield line, error
        else:
            if fields is not None:
                yield line, fields


def by_header(header: list[str], rows: Iterable[tuple[int, list[object]]]) -> Iterator[tuple[int, dict[str, object]]]:
    """Cells by the names of their columns."""
    for line, cells in rows:
        yield line, dict(zip(header, cells, strict=False))


def text(value: object) -> str | None:
    """The text of a cell; None for a blank one and for words that mean nothing. A whole number loses its point."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    result = str(value).strip() if isinstance(value, str | int | float) else ""
    return None if result.casefold() in _NOTHING else result


def require(row: Mapping[str, object], field: str) -> str:
    """The text of a field that a row must have."""
    result = text(row.get(field))
    if result is None:
        raise Unusable(f"{field}: {'missing' if row.get(field) is None else f'no text: {shown(row[field])}'}")
    return result


def list_of(row: Mapping[str, object], field: str) -> list[object]:
    """The elements of a list that a row must have."""
    value: Any = row.get(field)
    if not isinstance(value, list):
        raise Unusable(f"{field}: {'missing' if value is None else f'not a list: {shown(value)}'}")
    return value  # pyright: ignore[reportUnknownVariableType]


def name_by_content(*parts: str) -> str:
    """An id for a question whose file has none: the same question gets the same one in every version."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Spellings:
    """One spelling for each name: the first, where others differ in case, spaces and dashes only."""

    def __init__(self) -> None:
        self._spellings: dict[str, str] = {}

    def of(self, name: str | None) -> str | None:
        """The first spelling of a name."""
        return None if name is None else self._spellings.setdefault(_FILLERS.sub("", name).casefold(), name)
