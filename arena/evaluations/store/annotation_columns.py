"""Items and annotations of an evaluation as columns, for its reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from sqlalchemy import BigInteger, case, cast, func, select

from arena.adapters.store.engine.integer_columns import index_in, integers
from arena.evaluations.store.annotations import UNDONE
from arena.evaluations.store.tables.annotations import AnnotationRow, EvaluationItemRow, WithdrawalRow

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

_NUMBER_BITS: Final = 31
_VALUE_BITS: Final = 24
"""Widths of the fields of packed integers: ids of rows, and indices of values."""


def item_columns(session: Session, evaluation_id: int) -> dict[str, NDArray[np.int64]]:
    """Ids of all items in order, and of their question, first and second model (0 for none), as int64 columns."""
    second = func.coalesce(EvaluationItemRow.second_id, 0)
    fields = {
        "item": EvaluationItemRow.id,
        "question": EvaluationItemRow.question_id,
        "first": EvaluationItemRow.first_id,
        "second": second,
    }
    query = select(*(cast(field, BigInteger) for field in fields.values()))
    rows = query.where(EvaluationItemRow.evaluation_id == evaluation_id).order_by(EvaluationItemRow.number)
    return integers(session, rows, tuple(fields))


@dataclass(frozen=True, slots=True, eq=False)
class AnnotationColumns:
    """The n annotations of an evaluation without those withdrawn, in order.

    Attributes:
        item: int64 [n], id of the item.
        annotator: int64 [n], id of the annotator.
        repeat: bool [n], whether it is a hidden repeat.
        swapped: bool [n], whether the second answer was shown left.
        value: int32 [n], index in `values`.
        milliseconds: float64 [n], nan where the time is unknown.
        values: The distinct values of annotations.
    """

    item: NDArray[np.int64]
    annotator: NDArray[np.int64]
    repeat: NDArray[np.bool_]
    swapped: NDArray[np.bool_]
    value: NDArray[np.int32]
    milliseconds: NDArray[np.float64]
    values: tuple[str, ...]


def read_columns(session: Session, evaluation_id: int, *, left_out: bool = False) -> AnnotationColumns:
    """Read the annotations as columns; the database packs each into two integers.

    With `left_out` those of annotators who were left out are read too, but not those that annotators undid.
    """
    values = _values(session, evaluation_id)
    ids = cast(AnnotationRow.item_id, BigInteger) * 2**_NUMBER_BITS + AnnotationRow.annotator_id
    milliseconds = cast(func.coalesce(AnnotationRow.milliseconds, -1) + 1, BigInteger)
    codes = milliseconds * 2**_VALUE_BITS + index_in(AnnotationRow.value.expression, values)
    flags = case((AnnotationRow.attempt > 0, 2), else_=0) + case((AnnotationRow.swapped, 1), else_=0)
    query = select(ids, codes * 4 + flags)
    withdrawals = select(WithdrawalRow.annotation_number)
    withdrawn = AnnotationRow.number.in_(withdrawals.where(WithdrawalRow.reason == UNDONE) if left_out else withdrawals)
    rows = query.where(AnnotationRow.evaluation_id == evaluation_id, ~withdrawn).order_by(AnnotationRow.number)
    result = integers(session, rows, ("ids", "code"))
    return _unpack(result["ids"], result["code"], values)


def _values(session: Session, evaluation_id: int) -> tuple[str, ...]:
    """The distinct values in the collation of the database."""
    query = select(AnnotationRow.value).where(AnnotationRow.evaluation_id == evaluation_id).distinct()
    return tuple(session.scalars(query.order_by(AnnotationRow.value))) or ("",)


def _unpack(ids: NDArray[np.int64], codes: NDArray[np.int64], values: tuple[str, ...]) -> AnnotationColumns:
    milliseconds = (codes >> _VALUE_BITS + 2) - 1
    return AnnotationColumns(
        item=ids >> _NUMBER_BITS,
        annotator=ids & (2**_NUMBER_BITS - 1),
        repeat=(codes & 2).astype(np.bool_),
        swapped=(codes & 1).astype(np.bool_),
        value=(codes >> 2 & (2**_VALUE_BITS - 1)).astype(np.int32),
        milliseconds=np.where(milliseconds < 0, np.nan, milliseconds),
        values=values,
    )
