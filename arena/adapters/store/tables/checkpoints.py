"""Signed checkpoints of the transparency log, and the keys that sign them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, BaseRow


class CheckpointRow(BaseRow):
    """One signed checkpoint; `last_leaf` is the number of its last leaf, `note` the published text."""

    __tablename__ = "log_checkpoints"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    origin: Mapped[str] = mapped_column(String(200))
    size: Mapped[int] = mapped_column(BIG)
    last_leaf: Mapped[int] = mapped_column(BIG)
    root: Mapped[bytes] = mapped_column(LargeBinary)
    note: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]

    __table_args__ = (UniqueConstraint("origin", "size"), {"sqlite_autoincrement": True})


class LogKeyRow(BaseRow):
    """A signing key of the log, encrypted with a master key; `purpose` is checkpoint, promise or witness."""

    __tablename__ = "log_keys"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    purpose: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(200))
    public: Mapped[bytes] = mapped_column(LargeBinary)
    master: Mapped[str] = mapped_column(String(16))
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime]

    __table_args__ = ({"sqlite_autoincrement": True},)
