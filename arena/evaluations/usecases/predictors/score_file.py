"""Reader of numbers by model from CSV or JSON: scores of evaluations, or a published leaderboard."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Final, cast

from arena.adapters.row_files.row_file import RowFile, open_rows
from arena.adapters.row_files.rows import Unusable, mapping, shown
from arena.domain.errors import Invalid

MODEL: Final = ("model", "name")
"""Columns of the model's name; the first that exists is used."""

Scores = dict[str, dict[str, float]]


def read_scores(path: Path) -> Scores:
    """The numbers of each column by model; other cells are left out.

    A JSON file is a list of objects, or an object with such a list as `rows`, like a leaderboard.

    Raises:
        Invalid: It cannot be read, has no model in a row or one twice, or has no number.
    """
    result: Scores = {}
    with open_rows(path) as file:
        models: set[str] = set()
        for line, row in _board_rows(file) if file.start().startswith(b"{") else file.rows():
            try:
                _add(result, models, mapping(row))
            except Unusable as error:
                raise Invalid(f"{path}, line {line}: {error}.") from None
    if not result:
        raise Invalid(f"{path}: no numbers of models.")
    return result


def _add(scores: Scores, models: set[str], row: dict[str, object]) -> None:
    column = next((entry for entry in MODEL if entry in row), None)
    model = row[column] if column else None
    if not isinstance(model, str) or not model:
        raise Unusable(f"no model in a column {' or '.join(MODEL)}")
    if model in models:
        raise Unusable(f"{shown(model)} once more")
    models.add(model)
    for name, cell in row.items():
        value = _number(cell)
        if name not in MODEL and value is not None:
            scores.setdefault(name, {})[model] = value


def _number(cell: object) -> float | None:
    if isinstance(cell, bool) or not isinstance(cell, str | int | float):
        return None
    try:
        value = float(cell)
    except (ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def _board_rows(file: RowFile) -> Iterator[tuple[int, object]]:
    try:
        content = json.load(file.text())
    except (json.JSONDecodeError, RecursionError) as error:
        raise Invalid(f"{file.path}: not JSON: {error}.") from None
    rows = content.get("rows")
    if not isinstance(rows, list):
        raise Invalid(f"{file.path}: no list of rows.")
    yield from enumerate(cast("list[object]", rows), 1)
