"""Rows that belong to owners: the people who sign in as them, webhooks, and the keys of endpoints."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, BaseRow
from arena.adapters.store.tables.endpoints import EndpointRow, OwnerRow


class OwnerPersonRow(BaseRow):
    """A person who signs in as an owner, by a keyed digest of who they are; several may be one owner, as colleagues."""

    __tablename__ = "owner_people"

    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey(OwnerRow.id), index=True)
    created_at: Mapped[datetime]


class WebhookRow(BaseRow):
    """Where an owner is told of changes of their endpoints; `newest` is the number of the last one that was answered.

    After `failures` in a row the next attempt is at `retry_at`.
    """

    __tablename__ = "webhooks"

    owner_id: Mapped[int] = mapped_column(ForeignKey(OwnerRow.id), primary_key=True)
    url: Mapped[str] = mapped_column(String(500))
    newest: Mapped[int] = mapped_column(BIG)
    failures: Mapped[int]
    retry_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class CredentialRow(BaseRow):
    """An endpoint's key, encrypted with its own data key, which a master key wraps; only `origin` may receive it."""

    __tablename__ = "credentials"

    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id), primary_key=True)
    origin: Mapped[str] = mapped_column(String(300))
    master: Mapped[str] = mapped_column(String(16))
    wrapped: Mapped[bytes]
    sealed: Mapped[bytes]
    created_at: Mapped[datetime]
