"""Queries about the sample of conversations that people label, and about their readings."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, select

from arena.adapters.store import labels
from arena.adapters.store.tables import LabelRow, LabelSampleRow, QuestionRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.orm import Session

PERSON: Final = "person:"
"""Beginning of the name of a labeller who is a person."""


def of_set(session: Session, name: str) -> Sequence[LabelSampleRow]:
    """The sample of a set in its order; none if none is drawn."""
    query = select(LabelSampleRow).where(LabelSampleRow.label_set == name)
    return session.scalars(query.order_by(LabelSampleRow.number)).all()


def item(session: Session, name: str, number: int) -> LabelSampleRow | None:
    """An item by its number, locked until the end of the transaction, so that its readings can be counted."""
    query = select(LabelSampleRow).where(LabelSampleRow.label_set == name, LabelSampleRow.number == number)
    return session.scalars(query.with_for_update()).first()


def prompts(session: Session, row: LabelSampleRow) -> list[str]:
    """The prompts of an item."""
    if row.vote_number is not None:
        return labels.prompts_of(session, [row.vote_number]).get(row.vote_number, [])
    return list(session.get_one(QuestionRow, row.question_id).body["turns"])


def readings(session: Session, name: str) -> dict[int, list[tuple[str, int, list[str]]]]:
    """Readings of the items of a set, by the items' numbers: reader, reading and labels, in order.

    Votes and questions are asked apart, since no index knows both: together all labels of the set would be read.
    """
    found: dict[int, list[tuple[str, int, list[str]]]] = defaultdict(list)
    for query in _READINGS:
        for number, labeller, version, values in session.execute(query, {"name": name}):
            found[number].append((labeller.removeprefix(PERSON), version, values))
    return found


def _readings(same: ColumnElement[bool]) -> Select[int, str, int, list[str]]:
    return (
        select(LabelSampleRow.number, LabelRow.labeller, LabelRow.version, LabelRow.values)
        .join_from(LabelSampleRow, LabelRow, same)
        .where(LabelSampleRow.label_set == bindparam("name"), LabelRow.label_set == LabelSampleRow.label_set)
        .where(LabelRow.labeller.startswith(PERSON))
        .order_by(LabelRow.number)
    )


_READINGS: Final = (
    _readings(LabelRow.vote_number == LabelSampleRow.vote_number),
    _readings(LabelRow.question_id == LabelSampleRow.question_id),
)
