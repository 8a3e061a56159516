"""Owners of endpoints."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    String,
)
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import Table


class OwnerRow(Table):
    """An owner of endpoints. One who signed up has an API key, stored as id and digest."""

    __tablename__ = "owners"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    contact: Mapped[str | None] = mapped_column(String(200))
    key_id: Mapped[str | None] = mapped_column(String(24), unique=True)
    key_digest: Mapped[str | None] = mapped_column(String(64))
    key_made_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
