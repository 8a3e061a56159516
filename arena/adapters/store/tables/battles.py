"""Blind battles: their turns and replies."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    UniqueConstraint,
    false,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.adapters.store.tables.base import Table
from arena.adapters.store.tables.conversations import Conversation, Reply, Turn
from arena.adapters.store.tables.votes import VoteRow
from arena.domain.terms import Side


class BattleRow(Conversation, Table):
    """One blind battle; `probability` is that of the drawn unordered pair.

    `repeated` says that its voter has had the same prompt answered by the same pair before, so that a vote on it would
    not count; `withdrawn` that its link was withdrawn or taken down, so that no release shows its texts.
    """

    __tablename__ = "battles"

    endpoint_a_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"), index=True)
    endpoint_b_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"), index=True)
    probability: Mapped[float]
    language: Mapped[str] = mapped_column(String(8))
    repeated: Mapped[bool] = mapped_column(server_default=false(), default=False)
    withdrawn: Mapped[bool] = mapped_column(server_default=false(), default=False)

    turns: Mapped[list[TurnRow]] = relationship(order_by="TurnRow.number", lazy="selectin")
    vote: Mapped[VoteRow | None] = relationship(lazy="selectin", viewonly=True)

    __table_args__ = (
        CheckConstraint("endpoint_a_id <> endpoint_b_id", name="two_endpoints"),
        Index("ix_battles_state_created_at", "state", "created_at"),
    )

    @property
    def sides(self) -> dict[Side, int]:
        """The two endpoints by side."""
        return {Side.A: self.endpoint_a_id, Side.B: self.endpoint_b_id}


class TurnRow(Turn, Table):
    """One prompt of a battle."""

    __tablename__ = "turns"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id"))

    replies: Mapped[list[ReplyRow]] = relationship(lazy="selectin", order_by="ReplyRow.id")

    __table_args__ = (
        UniqueConstraint("battle_id", "number"),
        Index("ix_turns_state_deadline_at", "state", "deadline_at"),
    )


class ReplyRow(Reply, Table):
    """One side's answer in a battle."""

    __tablename__ = "replies"

    turn_id: Mapped[int] = mapped_column(ForeignKey("turns.id"))

    __table_args__ = (
        UniqueConstraint("turn_id", "generation", "side"),
        Index("ix_replies_endpoint_id_id", "endpoint_id", "id"),
    )
