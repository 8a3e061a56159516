"""Usual heads of columns of answers and of judgements, and rows with the names of fields in their place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, cast

from arena.evaluations.usecases.sets.formats.fields import Row
from arena.evaluations.usecases.sets.formats.heads import HEADS, columns_by, columns_of
from arena.usecases.exchange.fields import winner_word
from arena.usecases.exchange.imported_votes import usual_columns

_ANSWERS: Final[Mapping[str, tuple[str, ...]]] = {
    "question": ("question", *HEADS["prompt"]),
    "model": ("model", "model name", "模型", "模型名称", "模型名", "模型名稱"),
    "answer": (
        *("answer", "response", "model answer", "回答", "回复", "答复", "答案", "模型回答", "模型答案"),
        *("回覆", "答覆"),
    ),
    "answers": ("answers",),
}
_JUDGEMENTS: Final = _ANSWERS | {
    "annotator": ("annotator", "标注者", "标注员", "标注人", "评委", "標註者", "標註員", "標註人", "評審")
}
_QUESTION: Final = {"prompt": "question"}
_KNOWN: Final = 1_000
"""Most different heads whose fields are remembered, as rows of JSON have their own."""


def answer_columns(header: Iterable[str]) -> Mapping[str, str]:
    """The fields of answers by the columns that stand for them, where no column has the field's own name."""
    return _renamed(tuple(header), is_judged=False)


def fact_columns(header: Sequence[str], facts: Collection[str]) -> Mapping[str, str]:
    """The facts of questions by the columns that stand for them in a table whose other columns are models.

    A usual head in English such as "answer" may be a model there, unless it is a fact's own name in other case.
    """
    columns = {_QUESTION.get(field, field): name for field, name in columns_of(header).items()}
    usual = {name: field for field, name in columns.items() if not name.isascii() or name.casefold() == field}
    return {name: field for name, field in usual.items() if field in facts and field not in header}


def with_fields(rows: Iterable[Row], *, is_judged: bool = False) -> Iterator[Row]:
    """Rows of answers, or also of judgements, with the names of fields in place of usual heads."""
    for line, row in rows:
        if not isinstance(row, dict):
            yield line, row
            continue
        cells = cast("dict[str, object]", row)
        columns = _renamed(tuple(cells), is_judged=is_judged)
        yield line, {columns.get(name, name): _value(columns.get(name), cell) for name, cell in cells.items()}


def _value(field: str | None, cell: object) -> object:
    """A cell; the usual word for an outcome under another head than `outcome` is the outcome."""
    return winner_word(cell) or cell if field == "outcome" and isinstance(cell, str) else cell


@lru_cache(_KNOWN)
def _renamed(header: tuple[str, ...], *, is_judged: bool) -> Mapping[str, str]:
    columns: dict[str, str | None] = {**columns_by(_JUDGEMENTS if is_judged else _ANSWERS, header)}
    if is_judged and (usual := usual_columns(header)):
        columns |= {"a": usual.left, "b": usual.right, "outcome": usual.winner}
        columns.setdefault("annotator", usual.voter)
    return {name: field for field, name in columns.items() if name and field not in header}
