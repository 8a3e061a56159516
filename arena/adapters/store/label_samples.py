"""Queries about the sample of conversations that people label, and about their readings."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from sqlalchemy import or_, select

from arena.adapters.store import labels
from arena.adapters.store.tables import LabelRow, LabelSampleRow, QuestionRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

PERSON: Final = "person:"
"""Beginning of the name of a labeller who is a person."""


def of_set(session: Session, name: str) -> Sequence[LabelSampleRow]:
    """The sample of a set in its order; none if none is drawn."""
    query = select(LabelSampleRow).where(LabelSampleRow.label_set == name)
    return session.scalars(query.order_by(LabelSampleRow.number)).all()


def item(session: Session, name: str, number: int) -> LabelSampleRow | None:
    """An item by its number."""
    query = select(LabelSampleRow).where(LabelSampleRow.label_set == name, LabelSampleRow.number == number)
    return session.scalars(query).first()


def prompts(session: Session, row: LabelSampleRow) -> list[str]:
    """The prompts of an item."""
    if row.vote_number is not None:
        return labels.prompts_of(session, [row.vote_number]).get(row.vote_number, [])
    return list(session.get_one(QuestionRow, row.question_id).body["turns"])


def readings(session: Session, name: str) -> dict[int, list[tuple[str, int, list[str]]]]:
    """Readings of the items of a set, by the items' numbers: reader, reading and labels, in order."""
    same = or_(LabelRow.vote_number == LabelSampleRow.vote_number, LabelRow.question_id == LabelSampleRow.question_id)
    query = (
        select(LabelSampleRow.number, LabelRow.labeller, LabelRow.version, LabelRow.values)
        .join_from(LabelSampleRow, LabelRow, same)
        .where(LabelSampleRow.label_set == name, LabelRow.label_set == name, LabelRow.labeller.startswith(PERSON))
        .order_by(LabelRow.number)
    )
    found: dict[int, list[tuple[str, int, list[str]]]] = defaultdict(list)
    for number, labeller, version, values in session.execute(query):
        found[number].append((labeller.removeprefix(PERSON), version, values))
    return found
