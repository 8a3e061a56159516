"""Queries about endpoints and their owners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select, update

from arena.store.tables import EndpointRow, OwnerRow
from arena.terms import EndpointState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session


def every(session: Session) -> Sequence[EndpointRow]:
    """All endpoints, by name."""
    return session.scalars(select(EndpointRow).order_by(EndpointRow.name)).all()


def active(session: Session) -> Sequence[EndpointRow]:
    """The endpoints that may be drawn, in the order they joined."""
    return session.scalars(
        select(EndpointRow).where(EndpointRow.state == EndpointState.ACTIVE).order_by(EndpointRow.id)
    ).all()


def count_active(session: Session) -> int:
    """How many endpoints may be drawn."""
    return (
        session.scalar(
            select(func.count())
            .select_from(EndpointRow)
            .where(EndpointRow.state == EndpointState.ACTIVE, EndpointRow.weight > 0)
        )
        or 0
    )


def by_name(session: Session, name: str) -> EndpointRow | None:
    """The endpoint with this public name."""
    return session.scalar(select(EndpointRow).where(EndpointRow.name == name))


def by_id(session: Session, ids: Iterable[int]) -> dict[int, EndpointRow]:
    """Endpoints by their number."""
    rows = session.scalars(select(EndpointRow).where(EndpointRow.id.in_(list(ids)))).all()
    return {row.id: row for row in rows}


def owner(session: Session, name: str, now: datetime) -> OwnerRow:
    """The owner of this name, made if new."""
    row = session.scalar(select(OwnerRow).where(OwnerRow.name == name))
    if row is None:
        row = OwnerRow(name=name, created_at=now)
        session.add(row)
        session.flush()
    return row


def has_real(session: Session) -> bool:
    """Whether anybody but the built-in ones was ever registered."""
    real = select(EndpointRow.id).where(~EndpointRow.demo, EndpointRow.state != EndpointState.IMPORTED)
    return session.scalar(real.limit(1)) is not None


def retire_demo(session: Session) -> int:
    """Retire every demo endpoint; returns how many were active."""
    result = session.execute(
        update(EndpointRow)
        .where(EndpointRow.demo, EndpointRow.state == EndpointState.ACTIVE)
        .values(state=EndpointState.RETIRED)
        .returning(EndpointRow.id)
    )
    return len(result.all())
