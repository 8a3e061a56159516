"""The annotations of an evaluation as columns: a million of them in a second or two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from sqlalchemy import BigInteger, case, cast, func, select

from arena.adapters.store.integer_columns import index_in, integers
from arena.evaluations.store.annotations import UNDONE
from arena.evaluations.store.tables import AnnotationRow, WithdrawalRow

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

_NUMBER_BITS: Final = 31
_VALUE_BITS: Final = 24
"""Fields of packed words: the number of a row or of milliseconds, and the index of what was said."""


@dataclass(frozen=True, slots=True, eq=False)
class AnnotationColumns:
    """The n annotations of an evaluation that stand, in order.

    Attributes:
        item: int64 [n], row of the item.
        annotator: int64 [n], row of the annotator.
        repeat: bool [n], whether it is a hidden repeat.
        swapped: bool [n], whether the second answer stood left.
        value: int32 [n], index in `values`.
        milliseconds: float64 [n], nan where the time is unknown.
        values: What was said, in different words.
    """

    item: NDArray[np.int64]
    annotator: NDArray[np.int64]
    repeat: NDArray[np.bool_]
    swapped: NDArray[np.bool_]
    value: NDArray[np.int32]
    milliseconds: NDArray[np.float64]
    values: tuple[str, ...]


def read(session: Session, evaluation_id: int, *, left_out: bool = False) -> AnnotationColumns:
    """Read all annotations that stand as columns, packed by the database into two words for each.

    With `left_out` those that somebody else withdrew are read too, not what annotators took back themselves.
    """
    words = _values(session, evaluation_id)
    place = cast(AnnotationRow.item_id, BigInteger) * 2**_NUMBER_BITS + AnnotationRow.annotator_id
    milliseconds = cast(func.coalesce(AnnotationRow.milliseconds, -1) + 1, BigInteger)
    said = milliseconds * 2**_VALUE_BITS + index_in(AnnotationRow.value.expression, words)
    flags = AnnotationRow.attempt * 2 + case((AnnotationRow.swapped, 1), else_=0)
    query = select(place, said * 4 + flags)
    gone = select(WithdrawalRow.annotation_number)
    withdrawn = AnnotationRow.number.in_(gone.where(WithdrawalRow.reason == UNDONE) if left_out else gone)
    standing = query.where(AnnotationRow.evaluation_id == evaluation_id, ~withdrawn).order_by(AnnotationRow.number)
    found = integers(session, standing, ("place", "said"))
    return _unpacked(found["place"], found["said"], words)


def _values(session: Session, evaluation_id: int) -> tuple[str, ...]:
    """Different values, in the order that the database gives texts."""
    query = select(AnnotationRow.value).where(AnnotationRow.evaluation_id == evaluation_id).distinct()
    return tuple(session.scalars(query.order_by(AnnotationRow.value))) or ("",)


def _unpacked(place: NDArray[np.int64], said: NDArray[np.int64], words: tuple[str, ...]) -> AnnotationColumns:
    milliseconds = (said >> _VALUE_BITS + 2) - 1
    return AnnotationColumns(
        item=place >> _NUMBER_BITS,
        annotator=place & (2**_NUMBER_BITS - 1),
        repeat=(said & 2).astype(np.bool_),
        swapped=(said & 1).astype(np.bool_),
        value=(said >> 2 & (2**_VALUE_BITS - 1)).astype(np.int32),
        milliseconds=np.where(milliseconds < 0, np.nan, milliseconds),
        values=words,
    )
