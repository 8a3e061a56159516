"""Queries about unlogged votes: rows of the vote log that have no leaf in the transparency log.

A vote and its leaf are written in one transaction, so an unlogged vote was not cast or imported by the arena. It never
counts. Imported votes share the one leaf of their import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import exists, func, or_, select, update

from arena.adapters.store.tables import ImportRow, LeafRow, UnloggedVoteRow, VoteRow
from arena.adapters.store.upserts import insert

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import InstrumentedAttribute, Session


def search(session: Session, *, after: int, last: int) -> list[int]:
    """Unlogged votes numbered from `after` + 1 to `last` that are not known yet, ascending.

    One statement sees a vote together with its leaf. A million votes take half a second on SQLite, and several on
    PostgreSQL.
    """
    imported = exists().where(ImportRow.first <= VoteRow.number, ImportRow.last >= VoteRow.number)
    query = (
        select(VoteRow.number)
        .where(VoteRow.number > after, VoteRow.number <= last)
        .where(~exists().where(LeafRow.vote_number == VoteRow.number))
        .where(~exists().where(UnloggedVoteRow.number == VoteRow.number))
        .where(or_(VoteRow.battle_id.is_not(None), ~imported))
        .order_by(VoteRow.number)
    )
    return list(session.scalars(query))


def between(session: Session, *, after: int, last: int) -> list[int]:
    """All unlogged votes numbered from `after` + 1 to `last`, which must be settled, ascending.

    Votes, leaves and imports are counted first, which takes a tenth of the time of a search.
    """
    known = list(session.scalars(select(UnloggedVoteRow.number).where(*_range(UnloggedVoteRow.number, after, last))))
    imported = select(func.coalesce(func.sum(ImportRow.votes), 0)).where(*_range(ImportRow.first, after, last))
    logged = _count(session, LeafRow.vote_number, after, last) + (session.scalar(imported) or 0)
    if _count(session, VoteRow.number, after, last) == logged + len(known):
        return sorted(known)
    return sorted({*known, *search(session, after=after, last=last)})


def add(session: Session, numbers: Sequence[int], now: datetime) -> None:
    """Remember unlogged votes; those that are known already stay as they are."""
    if numbers:
        query = insert(session, UnloggedVoteRow).on_conflict_do_nothing()
        session.execute(query, [{"number": number, "seen_at": now} for number in numbers])


def pending(session: Session) -> list[int]:
    """The unlogged votes of which no leaf says so yet, ascending."""
    query = select(UnloggedVoteRow.number).where(UnloggedVoteRow.leaf.is_(None))
    return list(session.scalars(query.order_by(UnloggedVoteRow.number)))


def set_leaf(session: Session, numbers: Sequence[int], leaf: int) -> None:
    """Record the leaf by which the operator says that these votes are unlogged."""
    session.execute(update(UnloggedVoteRow).where(UnloggedVoteRow.number.in_(numbers)).values(leaf=leaf))


def _count(session: Session, number: InstrumentedAttribute[Any], after: int, last: int) -> int:
    return session.scalar(select(func.count(number)).where(*_range(number, after, last))) or 0


def _range(number: InstrumentedAttribute[Any], after: int, last: int) -> tuple[ColumnElement[bool], ...]:
    return number > after, number <= last
