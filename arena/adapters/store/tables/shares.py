"""Links to battles, reports of them, and blocked texts."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BaseRow
from arena.adapters.store.tables.conversations import BattleRow


class ShareRow(BaseRow):
    """The public link of a voted battle; deleted when its voter withdraws it.

    If the voter has put it on the page of its two models, `listed_at` is the time and `pair` the two ids; else both are
    null.
    """

    __tablename__ = "shares"

    token: Mapped[str] = mapped_column(String(32), primary_key=True)
    battle_id: Mapped[str] = mapped_column(ForeignKey(BattleRow.id), unique=True)
    created_at: Mapped[datetime]
    listed_at: Mapped[datetime | None]
    pair: Mapped[str | None] = mapped_column(String(24))

    __table_args__ = (Index("ix_shares_pair_listed_at", "pair", "listed_at"),)


class ShareReportRow(BaseRow):
    """Number of reports of a link for one reason; a counter, so that many reports do not fill the table."""

    __tablename__ = "share_reports"

    token: Mapped[str] = mapped_column(String(32), primary_key=True)
    reason: Mapped[str] = mapped_column(String(16), primary_key=True)
    count: Mapped[int]
    last_at: Mapped[datetime]


class ShareBlockRow(BaseRow):
    """The SHA-256 of questions and answers that the operator has taken down; never deleted."""

    __tablename__ = "share_blocks"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    reason: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime]
