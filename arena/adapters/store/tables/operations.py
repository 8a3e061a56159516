"""Leases of background work and kill switches of the operator."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    String,
)
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, Table


class LeaseRow(Table):
    """A lease: holder, expiry, and the epoch, a fencing token that each change of holder increments."""

    __tablename__ = "leases"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    epoch: Mapped[int] = mapped_column(BIG)
    holder: Mapped[str] = mapped_column(String(64))
    until: Mapped[datetime]


class FlagRow(Table):
    """A kill switch: a part of the service that the operator has closed or reopened."""

    __tablename__ = "flags"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    closed: Mapped[bool]
    reason: Mapped[str] = mapped_column(String(200))
    changed_at: Mapped[datetime]
