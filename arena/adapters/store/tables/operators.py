"""Operators, and what they do."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, BaseRow


class OperatorRow(BaseRow):
    """An operator who acts by a key; the row stays when the key is withdrawn, so that no name comes twice."""

    __tablename__ = "operators"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(120), unique=True)
    role: Mapped[str] = mapped_column(String(16))
    key_id: Mapped[str | None] = mapped_column(String(16), unique=True)
    key_digest: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime]
    withdrawn_at: Mapped[datetime | None]


class ActRow(BaseRow):
    """An act of an operator; never changed or deleted. The nonce opens its leaf of the transparency log."""

    __tablename__ = "acts"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    created_at: Mapped[datetime]
    who: Mapped[str] = mapped_column(String(120))
    via: Mapped[str] = mapped_column(String(40))
    role: Mapped[str] = mapped_column(String(16))
    kind: Mapped[str] = mapped_column(String(40))
    target: Mapped[str] = mapped_column(String(200))
    why: Mapped[str] = mapped_column(String(500))
    nonce: Mapped[bytes]
