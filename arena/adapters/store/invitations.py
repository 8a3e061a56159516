"""Queries about invitations of classes: links with an end and a number of seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select, update

from arena.adapters.store.tables.people import InvitationRow

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session


def add(session: Session, digest: str, title: str, seats: int, now: datetime, ends_at: datetime) -> int:
    """Keep a new invitation; returns its number."""
    row = InvitationRow(digest=digest, title=title, seats=seats, taken=0, created_at=now, ends_at=ends_at)
    session.add(row)
    session.flush()
    return row.id


def by_digest(session: Session, digest: str) -> InvitationRow | None:
    """The invitation whose token has this digest."""
    return session.scalar(select(InvitationRow).where(InvitationRow.digest == digest))


def take_seat(session: Session, number: int) -> bool:
    """Take a seat; False if none is left, however many come at once."""
    free = (InvitationRow.id == number) & (InvitationRow.taken < InvitationRow.seats)
    change = update(InvitationRow).where(free).values(taken=InvitationRow.taken + 1)
    return session.execute(change.returning(InvitationRow.id)).first() is not None


def every(session: Session) -> Sequence[InvitationRow]:
    """All invitations, newest first."""
    return session.scalars(select(InvitationRow).order_by(InvitationRow.id.desc())).all()


def withdraw(session: Session, number: int) -> bool:
    """Delete an invitation; whoever has come by it stays signed in until its end."""
    gone = delete(InvitationRow).where(InvitationRow.id == number).returning(InvitationRow.id)
    return session.execute(gone).first() is not None
