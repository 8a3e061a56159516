"""Queries about remarks; rows are added and read, never changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from arena.adapters.store.tables import RemarkRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session


def of_vote(session: Session, number: int) -> Sequence[RemarkRow]:
    """The remarks on one vote."""
    return session.scalars(select(RemarkRow).where(RemarkRow.vote_number == number).order_by(RemarkRow.side)).all()


def of_votes(session: Session, first: int, last: int) -> dict[int, dict[str, RemarkRow]]:
    """The remarks on the votes numbered from `first` to `last`, by number and side."""
    found: dict[int, dict[str, RemarkRow]] = {}
    query = select(RemarkRow).where(RemarkRow.vote_number.between(first, last)).order_by(RemarkRow.number)
    for row in session.scalars(query):
        found.setdefault(row.vote_number, {})[row.side] = row
    return found
