"""Rows beside votes: exclusions and remarks."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, BaseRow
from arena.adapters.store.tables.conversations import VoteRow
from arena.domain.terms import Side


class ExclusionRow(BaseRow):
    """A later decision that one vote does not count, with reason and author."""

    __tablename__ = "exclusions"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    vote_number: Mapped[int] = mapped_column(ForeignKey(VoteRow.number), unique=True)
    reason: Mapped[str] = mapped_column(String(200))
    by: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime]


class RemarkRow(BaseRow):
    """A voter's remarks on one side after the vote; never rated."""

    __tablename__ = "remarks"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    vote_number: Mapped[int] = mapped_column(ForeignKey(VoteRow.number))
    side: Mapped[Side]
    reasons: Mapped[list[str]]
    stars: Mapped[dict[str, int]]
    created_at: Mapped[datetime]

    __table_args__ = (UniqueConstraint("vote_number", "side"),)
