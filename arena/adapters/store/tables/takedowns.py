"""Reports of shared battles, and digests of what may not be shared again."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import Table


class ShareReportRow(Table):
    """How often a link was reported for one reason; a counter, so that many reports fill no table."""

    __tablename__ = "share_reports"

    token: Mapped[str] = mapped_column(String(32), primary_key=True)
    reason: Mapped[str] = mapped_column(String(16), primary_key=True)
    count: Mapped[int]
    last_at: Mapped[datetime]


class ShareBlockRow(Table):
    """The SHA-256 of questions and answers that the operator has taken down; never deleted."""

    __tablename__ = "share_blocks"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    reason: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime]
