"""Queries about endpoints and their owners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, func, or_, select, update

from arena.errors import EndpointNotFound
from arena.store.tables import ChangeRow, EndpointRow, OwnerRow
from arena.terms import EndpointState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session


def every(session: Session) -> Sequence[EndpointRow]:
    """All endpoints, by name."""
    return session.scalars(select(EndpointRow).order_by(EndpointRow.name)).all()


def public(session: Session) -> Sequence[EndpointRow]:
    """The endpoints that everybody may know of, by name."""
    return session.scalars(select(EndpointRow).where(_public()).order_by(EndpointRow.name)).all()


def public_by_name(session: Session, name: str) -> EndpointRow | None:
    """The endpoint with this name, if everybody may know of it."""
    return session.scalar(select(EndpointRow).where(EndpointRow.name == name, _public()))


def of_owner(session: Session, owner_id: int) -> Sequence[EndpointRow]:
    """All endpoints of one owner, the newest first."""
    return session.scalars(
        select(EndpointRow).where(EndpointRow.owner_id == owner_id).order_by(EndpointRow.id.desc())
    ).all()


def owned(session: Session, endpoint_id: int, owner_id: int) -> EndpointRow:
    """An endpoint of this owner.

    Raises:
        EndpointNotFound: Unknown, or another owner's: nobody can tell which.
    """
    return _owned(session.get(EndpointRow, endpoint_id), owner_id)


def held(session: Session, endpoint_id: int, owner_id: int) -> EndpointRow:
    """The same for a change: until this transaction ends, nobody else changes the endpoint.

    Raises:
        EndpointNotFound: As above.
    """
    return _owned(locked(session, endpoint_id), owner_id)


def locked(session: Session, endpoint_id: int) -> EndpointRow | None:
    """The endpoint of this number; until this transaction ends, nobody else changes it."""
    return session.scalar(
        select(EndpointRow)
        .where(EndpointRow.id == endpoint_id)
        .with_for_update(key_share=True, of=EndpointRow)
        .execution_options(populate_existing=True)
    )


def count_unlisted(session: Session, owner_id: int, since: datetime) -> int:
    """How many endpoints of this owner joined after `since` and are not listed, whatever has become of them."""
    query = (
        select(func.count())
        .select_from(EndpointRow)
        .where(EndpointRow.owner_id == owner_id, ~EndpointRow.listed, EndpointRow.created_at > since)
    )
    return session.scalar(query) or 0


def changes(session: Session, endpoint_id: int, limit: int = 200) -> Sequence[ChangeRow]:
    """The newest steps in the life of an endpoint, the newest first."""
    query = select(ChangeRow).where(ChangeRow.endpoint_id == endpoint_id).order_by(ChangeRow.number.desc())
    return session.scalars(query.limit(limit)).all()


def suspended_by(session: Session, endpoint_id: int) -> str | None:
    """Who has suspended an endpoint the last time."""
    return session.scalar(
        select(ChangeRow.actor)
        .where(ChangeRow.endpoint_id == endpoint_id, ChangeRow.after == EndpointState.SUSPENDED)
        .where(ChangeRow.before != EndpointState.SUSPENDED)
        .order_by(ChangeRow.number.desc())
        .limit(1)
    )


def newest_version(session: Session, owner_id: int, family: str) -> int:
    """The highest version of a model, at least 1."""
    query = select(func.max(EndpointRow.version)).where(EndpointRow.owner_id == owner_id, EndpointRow.family == family)
    return session.scalar(query) or 1


def names(session: Session) -> Sequence[str]:
    """Every name that was ever taken."""
    return session.scalars(select(EndpointRow.name)).all()


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


def unlisted(session: Session) -> dict[int, str]:
    """Names, by number, of those that stay off the board with their votes."""
    rows = session.execute(select(EndpointRow.id, EndpointRow.name).where(~EndpointRow.listed))
    return {row.id: row.name for row in rows}


def owner(session: Session, name: str, now: datetime) -> OwnerRow:
    """The owner of this name, made if new."""
    row = session.scalar(select(OwnerRow).where(OwnerRow.name == name))
    if row is None:
        row = OwnerRow(name=name, created_at=now)
        session.add(row)
        session.flush()
    return row


def has_pair(session: Session) -> bool:
    """Whether two real endpoints take part or have; one that never came so far is nobody's opponent."""
    real = select(EndpointRow.id).where(~EndpointRow.demo, EndpointRow.state != EndpointState.IMPORTED, _took_part())
    return len(session.execute(real.limit(2)).all()) > 1


def retire_demo(session: Session) -> int:
    """Retire every demo endpoint; returns how many were active."""
    result = session.execute(
        update(EndpointRow)
        .where(EndpointRow.demo, EndpointRow.state == EndpointState.ACTIVE)
        .values(state=EndpointState.RETIRED)
        .returning(EndpointRow.id)
    )
    return len(result.all())


def _owned(row: EndpointRow | None, owner_id: int) -> EndpointRow:
    if row is None or row.owner_id != owner_id:
        raise EndpointNotFound
    return row


def _public() -> ColumnElement[bool]:
    return and_(EndpointRow.listed, _took_part())


def _took_part() -> ColumnElement[bool]:
    """Active now or once; what has no steps was active before steps were written down."""
    steps = select(ChangeRow.number).where(ChangeRow.endpoint_id == EndpointRow.id)
    was_active = steps.where(or_(ChangeRow.before == EndpointState.ACTIVE, ChangeRow.after == EndpointState.ACTIVE))
    return or_(was_active.exists(), ~steps.exists())
