"""Queries about webhooks: where owners are told of their endpoints' changes, and up to which change they have been."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, or_, select

from arena.adapters.store.tables.endpoints import ChangeRow, EndpointRow
from arena.adapters.store.tables.ownership import WebhookRow

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session


def of_owner(session: Session, owner_id: int) -> WebhookRow | None:
    """The webhook of an owner."""
    return session.get(WebhookRow, owner_id)


def put(session: Session, row: WebhookRow) -> None:
    """Set an owner's webhook in place of any other."""
    session.merge(row)


def drop(session: Session, owner_id: int) -> None:
    """Remove an owner's webhook."""
    session.execute(delete(WebhookRow).where(WebhookRow.owner_id == owner_id))


def due(session: Session, now: datetime) -> Sequence[WebhookRow]:
    """The webhooks that may be called now."""
    return session.scalars(
        select(WebhookRow).where(or_(WebhookRow.retry_at.is_(None), WebhookRow.retry_at <= now))
    ).all()


def waiting_changes(session: Session, hook: WebhookRow, until: datetime, most: int) -> Sequence[tuple[ChangeRow, str]]:
    """The first changes that an owner has not been told of, made before `until`, with the names of the endpoints."""
    query = (
        select(ChangeRow, EndpointRow.name)
        .join(EndpointRow, EndpointRow.id == ChangeRow.endpoint_id)
        .where(EndpointRow.owner_id == hook.owner_id, ChangeRow.number > hook.newest, ChangeRow.created_at <= until)
    )
    return [(row, name) for row, name in session.execute(query.order_by(ChangeRow.number).limit(most))]
