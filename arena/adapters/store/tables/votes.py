"""The append-only vote log, its exclusions, and remarks on voted battles."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, Table
from arena.domain.terms import NotCounted, Outcome, Side


class VoteRow(Table):
    """One row of the append-only log. `id` makes an import idempotent; `battle_id` is absent on imported votes.

    `style` counts length, headers, lists and bold of the first answer and then of the second.
    """

    __tablename__ = "votes"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    id: Mapped[str] = mapped_column(String(64), unique=True)
    battle_id: Mapped[str | None] = mapped_column(ForeignKey("battles.id"), unique=True)
    outcome: Mapped[Outcome]
    voter_key: Mapped[str] = mapped_column(String(64))
    idempotency_key: Mapped[str | None] = mapped_column(String(255))
    endpoint_a_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"))
    endpoint_b_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"))
    language: Mapped[str | None] = mapped_column(String(8))
    category: Mapped[str | None] = mapped_column(String(40))
    style: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    turns: Mapped[int | None]
    seconds: Mapped[float | None]
    not_counted: Mapped[NotCounted | None]
    created_at: Mapped[datetime]

    __table_args__ = (
        UniqueConstraint("voter_key", "idempotency_key"),
        CheckConstraint("endpoint_a_id <> endpoint_b_id", name="two_endpoints"),
        Index("ix_votes_pair", "endpoint_a_id", "endpoint_b_id", "not_counted", "outcome"),
        {"sqlite_autoincrement": True},
    )


class ExclusionRow(Table):
    """A later decision that one vote does not count, with reason and author."""

    __tablename__ = "exclusions"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    vote_number: Mapped[int] = mapped_column(ForeignKey("votes.number"), unique=True)
    reason: Mapped[str] = mapped_column(String(200))
    by: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime]


class RemarkRow(Table):
    """A voter's remarks on one side after the vote; never rated."""

    __tablename__ = "remarks"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    vote_number: Mapped[int] = mapped_column(ForeignKey("votes.number"))
    side: Mapped[Side]
    reasons: Mapped[list[str]]
    stars: Mapped[dict[str, int]]
    created_at: Mapped[datetime]

    __table_args__ = (UniqueConstraint("vote_number", "side"),)
