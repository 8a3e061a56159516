"""Queries about owners: digests of their API keys, people who sign in as them, and webhooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, or_, select, update

from arena.adapters.store.tables.endpoints import ChangeRow, EndpointRow, OwnerPersonRow, OwnerRow, WebhookRow

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session


def by_key_id(session: Session, key_id: str) -> OwnerRow | None:
    """The owner whose key has this id."""
    return session.scalar(select(OwnerRow).where(OwnerRow.key_id == key_id))


def by_person(session: Session, person: str) -> OwnerRow | None:
    """The owner as whom a person signs in, or None."""
    row = session.get(OwnerPersonRow, person)
    return session.get_one(OwnerRow, row.owner_id) if row else None


def people(session: Session, owner_id: int) -> int:
    """Number of people who sign in as this owner."""
    query = select(func.count()).select_from(OwnerPersonRow).where(OwnerPersonRow.owner_id == owner_id)
    return session.scalar(query) or 0


def with_accounts(session: Session) -> set[int]:
    """The owners who can sign in, by a key or as a person; others are only named by an operator."""
    by_key = select(OwnerRow.id).where(OwnerRow.key_id.is_not(None))
    return set(session.scalars(by_key.union(select(OwnerPersonRow.owner_id))))


def alone_allow(session: Session, row: EndpointRow) -> bool:
    """Whether only the owner can allow further uses of an endpoint: they pay for the calls and can sign in."""
    return row.key_env is None and row.owner_id in with_accounts(session)


def join(session: Session, person: str, owner_id: int, now: datetime) -> None:
    """Let a person sign in as this owner, in place of any other."""
    session.merge(OwnerPersonRow(person=person, owner_id=owner_id, created_at=now))


def part(session: Session, person: str) -> None:
    """Let a person no longer sign in as an owner."""
    session.execute(delete(OwnerPersonRow).where(OwnerPersonRow.person == person))


def by_name(session: Session, name: str) -> OwnerRow | None:
    """The owner with this name."""
    return session.scalar(select(OwnerRow).where(OwnerRow.name == name))


def by_id(session: Session, owner_id: int) -> OwnerRow:
    """The owner with this id; owners are never deleted."""
    return session.get_one(OwnerRow, owner_id)


def for_update(session: Session, owner_id: int) -> OwnerRow:
    """The owner with this id, locked until the end of the transaction, to serialise changes to their endpoints."""
    return session.get_one(OwnerRow, owner_id, with_for_update={"key_share": True}, populate_existing=True)


def list_all(session: Session) -> Sequence[tuple[OwnerRow, int]]:
    """All owners by name, each with the number of endpoints."""
    count = select(func.count()).where(EndpointRow.owner_id == OwnerRow.id).scalar_subquery()
    return [(row, number) for row, number in session.execute(select(OwnerRow, count).order_by(OwnerRow.name))]


def names(session: Session) -> Sequence[str]:
    """The names of all owners."""
    return session.scalars(select(OwnerRow.name)).all()


def set_key(session: Session, owner_id: int, key: tuple[str, str], now: datetime, *, old: str | None = None) -> bool:
    """Set an owner's key id and digest; False if `old` is given and is not the current digest."""
    return _change(session, owner_id, old, {"key_id": key[0], "key_digest": key[1], "key_made_at": now})


def drop_key(session: Session, owner_id: int, *, old: str | None = None) -> bool:
    """Remove an owner's key; False as in `set_key`."""
    return _change(session, owner_id, old, dict.fromkeys(("key_id", "key_digest", "key_made_at")))


def _change(session: Session, owner_id: int, old: str | None, values: Mapping[str, object]) -> bool:
    query = update(OwnerRow).where(OwnerRow.id == owner_id)
    if old is not None:
        query = query.where(OwnerRow.key_digest == old)
    return session.execute(query.values(values).returning(OwnerRow.id)).first() is not None


def find_or_add(session: Session, name: str, now: datetime) -> OwnerRow:
    """The owner with this name, created if new."""
    row = session.scalar(select(OwnerRow).where(OwnerRow.name == name))
    if row is None:
        row = OwnerRow(name=name, created_at=now)
        session.add(row)
        session.flush()
    return row


def webhook_of(session: Session, owner_id: int) -> WebhookRow | None:
    """The webhook of an owner."""
    return session.get(WebhookRow, owner_id)


def put_webhook(session: Session, row: WebhookRow) -> None:
    """Set an owner's webhook in place of any other."""
    session.merge(row)


def drop_webhook(session: Session, owner_id: int) -> None:
    """Remove an owner's webhook."""
    session.execute(delete(WebhookRow).where(WebhookRow.owner_id == owner_id))


def least_delivered(session: Session, now: datetime, but: Collection[int] = ()) -> int | None:
    """The lowest number of a last delivered change of the webhooks that may be called now; None if there are none."""
    return session.scalar(select(func.min(WebhookRow.newest)).where(_is_due(now), WebhookRow.owner_id.not_in(but)))


def due_webhooks(session: Session, now: datetime, after: int, until: int) -> Sequence[WebhookRow]:
    """The webhooks that may be called now and have changes numbered above `after` up to `until` to deliver."""
    newest = (
        select(EndpointRow.owner_id, func.max(ChangeRow.number).label("number"))
        .join(ChangeRow, ChangeRow.endpoint_id == EndpointRow.id)
        .where(ChangeRow.number > after, ChangeRow.number <= until)
        .group_by(EndpointRow.owner_id)
        .subquery()
    )
    query = select(WebhookRow).join(newest, newest.c.owner_id == WebhookRow.owner_id)
    return session.scalars(query.where(_is_due(now), WebhookRow.newest < newest.c.number)).all()


def skip_changes(session: Session, now: datetime, until: int, but: Collection[int]) -> None:
    """Advance the webhooks that may be called now, except those of the owners `but`, to change number `until`."""
    idle = _is_due(now), WebhookRow.newest < until, WebhookRow.owner_id.not_in(but)
    session.execute(update(WebhookRow).where(*idle).values(newest=until))


def _is_due(now: datetime) -> ColumnElement[bool]:
    return or_(WebhookRow.retry_at.is_(None), WebhookRow.retry_at <= now)


def waiting_changes(session: Session, hook: WebhookRow, until: int, limit: int) -> Sequence[tuple[ChangeRow, str]]:
    """The first changes numbered up to `until` that a webhook has not delivered, with the names of the endpoints."""
    endpoints = select(EndpointRow.id, EndpointRow.name).where(EndpointRow.owner_id == hook.owner_id)
    names = {number: name for number, name in session.execute(endpoints)}
    query = select(ChangeRow).where(ChangeRow.endpoint_id.in_(names))
    query = query.where(ChangeRow.number > hook.newest, ChangeRow.number <= until)
    return [(row, names[row.endpoint_id]) for row in session.scalars(query.order_by(ChangeRow.number).limit(limit))]
