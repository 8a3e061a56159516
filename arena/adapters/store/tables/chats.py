"""Chats with models chosen by name, separate from battles."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.adapters.store.tables.base import BaseRow
from arena.adapters.store.tables.conversations import ConversationReplyRow, ConversationRow, ConversationTurnRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.terms import Opinion, Side


class ChatRow(ConversationRow, BaseRow):
    """A conversation with one or two models chosen by name.

    Chats and their votes have separate tables, so that no count of battles or votes includes them.
    """

    __tablename__ = "chats"

    endpoint_a_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"))
    endpoint_b_id: Mapped[int | None] = mapped_column(ForeignKey("endpoints.id"))

    turns: Mapped[list[ChatTurnRow]] = relationship(order_by="ChatTurnRow.number", lazy="selectin")
    a: Mapped[EndpointRow] = relationship(foreign_keys=[endpoint_a_id], lazy="joined", innerjoin=True)
    b: Mapped[EndpointRow | None] = relationship(foreign_keys=[endpoint_b_id], lazy="joined")

    __table_args__ = (
        CheckConstraint("endpoint_a_id <> endpoint_b_id", name="two_endpoints"),
        Index("ix_chats_state_created_at", "state", "created_at"),
    )

    @property
    def models(self) -> dict[Side, EndpointRow]:
        """The chosen models by side; a chat with one model has the first side only."""
        return {side: row for side, row in zip(Side, (self.a, self.b), strict=True) if row is not None}

    @property
    def sides(self) -> dict[Side, int]:
        """The ids of the chosen models by side."""
        return {side: row.id for side, row in self.models.items()}


class ChatTurnRow(ConversationTurnRow, BaseRow):
    """One prompt of a chat."""

    __tablename__ = "chat_turns"

    chat_id: Mapped[str] = mapped_column(ForeignKey("chats.id"))

    replies: Mapped[list[ChatReplyRow]] = relationship(lazy="selectin", order_by="ChatReplyRow.id")
    vote: Mapped[ChatVoteRow | None] = relationship(lazy="selectin")

    __table_args__ = (
        UniqueConstraint("chat_id", "number"),
        Index("ix_chat_turns_state_deadline_at", "state", "deadline_at"),
    )


class ChatReplyRow(ConversationReplyRow, BaseRow):
    """One side's answer in a chat."""

    __tablename__ = "chat_replies"

    turn_id: Mapped[int] = mapped_column(ForeignKey("chat_turns.id"))

    __table_args__ = (UniqueConstraint("turn_id", "generation", "side"),)


class ChatVoteRow(BaseRow):
    """A judgement of the answers of one turn by a voter who knew the names; never rated."""

    __tablename__ = "chat_votes"

    turn_id: Mapped[int] = mapped_column(ForeignKey("chat_turns.id"), primary_key=True)
    generation: Mapped[int]
    opinion: Mapped[Opinion]
    created_at: Mapped[datetime]
