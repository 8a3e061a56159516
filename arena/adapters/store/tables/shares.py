"""Links to battles, reports about them, and those that were taken down."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BaseRow
from arena.adapters.store.tables.conversations import BattleRow


class ShareRow(BaseRow):
    """The public link of a voted battle; deleted when its voter withdraws it.

    If the voter has agreed that everybody finds it on the page of its two models, `listed_at` says since when and
    `pair` names the two; otherwise both are empty.
    """

    __tablename__ = "shares"

    token: Mapped[str] = mapped_column(String(32), primary_key=True)
    battle_id: Mapped[str] = mapped_column(ForeignKey(BattleRow.id), unique=True)
    created_at: Mapped[datetime]
    listed_at: Mapped[datetime | None]
    pair: Mapped[str | None] = mapped_column(String(24))

    __table_args__ = (Index("ix_shares_pair_listed_at", "pair", "listed_at"),)


class ShareReportRow(BaseRow):
    """How often a link was reported for one reason; a counter, so that many reports fill no table."""

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
