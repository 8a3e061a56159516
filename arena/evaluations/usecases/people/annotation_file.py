"""Reader of CSV or JSON with answers of several people to the same items, for statistics of annotators."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.adapters.row_files.row_file import open_rows
from arena.adapters.row_files.rows import BadRow, Unusable, mapping, shown
from arena.domain.text import UNSTORABLE, well_formed
from arena.evaluations.domain.annotators.answers import AnswerTable

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "person": ("person", "worker", "annotator", "voter"),
    "item": ("item", "question_id", "question", "prompt"),
    "left": ("left", "model_a"),
    "right": ("right", "model_b"),
    "label": ("label", "winner", "outcome"),
    "area": ("area", "category"),
    "key": ("key", "golden"),
    "score": ("score", "stars"),
}
"""Columns of each field; the first that a row has is used."""
_SIDES: Final = {"left": 1, "a": 1, "model_a": 1, "right": -1, "b": -1, "model_b": -1}
_FIRST: Final = {1: "first", -1: "second"}


@dataclass(frozen=True, slots=True, eq=False)
class AnnotationFile:
    """The answers of a file.

    Attributes:
        answers: The columns.
        key: int64 [items], the golden label, -1 for none.
        scores: float64 [n], nan where a row has none.
        bad: Rows that cannot be read.
    """

    answers: AnswerTable
    key: NDArray[np.int64]
    scores: NDArray[np.float64]
    bad: list[BadRow]


@dataclass(frozen=True, slots=True)
class _Answer:
    person: str
    item: Hashable
    label: str
    lean: int
    area: str
    key: str | None
    score: float


def read_annotations(path: Path) -> AnnotationFile:
    """The answers of a file of CSV, JSON lines or a JSON array, possibly gzipped.

    An item is a question, or with two models a question and a pair; then labels name the preferred model, whichever
    side it was on.

    Raises:
        Invalid: The file cannot be read.
    """
    answers: list[_Answer] = []
    bad: list[BadRow] = []
    with open_rows(path) as file:
        for line, value in file.rows():
            try:
                answers.append(_answer(mapping(value)))
            except Unusable as error:
                bad.append(BadRow(line, str(error)))
    return _table(answers, bad)


def _answer(row: dict[str, object]) -> _Answer:
    # As in files of votes, cases and spaces of names do not matter; of two alike the first counts.
    cells = {name.strip().casefold().replace(" ", "_"): value for name, value in reversed(row.items())}
    person, item, label = (_field(cells, field) for field in ("person", "item", "label"))
    left, right, score = _field(cells, "left"), _field(cells, "right"), _field(cells, "score")
    if score is not None and label is None:
        label = score
    for field, text in (("person", person), ("item", item), ("label", label)):
        if text is None:
            raise Unusable(f"{field}: it is missing; one of the columns {', '.join(COLUMNS[field])}")
    lean = _SIDES.get(label or "", 0)
    key_of_item: Hashable = item
    if left is not None and right is not None:
        if left == right:
            raise Unusable("right: the same as left")
        key_of_item = (item, *sorted((left, right)))
        label = _FIRST[lean if left < right else -lean] if lean else label
    key = _field(cells, "key")
    return _Answer(person or "", key_of_item, label or "", lean, _field(cells, "area") or "all", key, _number(score))


def _field(row: Mapping[str, object], field: str) -> str | None:
    for name in COLUMNS[field]:
        value = row.get(name)
        if value is not None and str(value).strip():
            text = str(value).strip()
            if text != well_formed(text):
                raise Unusable(f"{name}: {UNSTORABLE}: {shown(text)}")
            return text
    return None


def _number(text: str | None) -> float:
    if text is None:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        raise Unusable(f"score: {text!r} is no number") from None
    if not math.isfinite(value):
        raise Unusable(f"score: {text!r} is no number")
    return value


def _table(rows: list[_Answer], bad: list[BadRow]) -> AnnotationFile:
    people, person = _index_values([row.person for row in rows])
    items, item = _index_values([row.item for row in rows])
    labels = sorted({row.label for row in rows} | {row.key for row in rows if row.key is not None})
    areas, area = _index_values([row.area for row in rows])
    code = {label: number for number, label in enumerate(labels)}
    key = np.full(len(items), -1, np.int64)
    for number, row in zip(item, rows, strict=True):
        if row.key is not None:
            key[number] = code[row.key]
    answers = AnswerTable(
        person=np.array(person, np.int32),
        item=np.array(item, np.int32),
        label=np.array([code[row.label] for row in rows], np.int32),
        lean=np.array([row.lean for row in rows], np.int8),
        area=np.array(area, np.int32),
        people=tuple(map(str, people)),
        labels=tuple(labels),
        areas=tuple(map(str, areas)),
        items=len(items),
    )
    return AnnotationFile(answers, key, np.array([row.score for row in rows], np.float64), bad)


def _index_values(values: list[object]) -> tuple[list[object], list[int]]:
    numbers: dict[Any, int] = {}
    codes = [numbers.setdefault(value, len(numbers)) for value in values]
    return list(numbers), codes
