"""Blind battles with the append-only vote log, exclusions and remarks, and the common columns of battles and chats."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.adapters.store.tables.base import BIG, BaseRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.terms import BattleKind, BattleState, JsonObject, NotCounted, Outcome, Side, TurnState
from arena_providers.terms import Finish


class ConversationRow:
    """Columns of a conversation, blind battle or chat."""

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    voter_key: Mapped[str] = mapped_column(String(64), index=True)
    state: Mapped[BattleState]
    created_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class ConversationTurnRow:
    """One prompt of a conversation; `generation` counts the regenerations of its answers.

    `process` is the name of the process that runs the turn, if there may be several: its address, if it has one, at
    which the others reach it. `shown_at` is the time of the
    first shown text of the current answers. `images` has ids of uploads, which may be deleted. `reservation` is what
    the turn holds while it runs; it is deleted with the turn's end, since it has a neighbourhood's digest.
    """

    id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int]
    generation: Mapped[int] = mapped_column(default=0)
    prompt: Mapped[str] = mapped_column(Text)
    images: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    state: Mapped[TurnState]
    shown_at: Mapped[datetime | None]
    process: Mapped[str | None] = mapped_column(String(200))
    reservation: Mapped[JsonObject | None] = mapped_column(JSON(none_as_null=True))
    failure: Mapped[str | None] = mapped_column(String(40))
    started_at: Mapped[datetime]
    deadline_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class ConversationReplyRow:
    """One side's answer in one generation of a turn; earlier generations stay.

    `reasoning` is stored only if the operator publishes it after the vote.
    """

    id: Mapped[int] = mapped_column(primary_key=True)
    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id))
    generation: Mapped[int]
    side: Mapped[Side]
    text: Mapped[str] = mapped_column(Text)
    reasoning: Mapped[str | None] = mapped_column(Text)
    finish: Mapped[Finish | None]
    error: Mapped[str | None] = mapped_column(String(40))
    first_token_ms: Mapped[int | None]
    total_ms: Mapped[int]
    input_tokens: Mapped[int | None]
    output_tokens: Mapped[int | None]


class BattleRow(ConversationRow, BaseRow):
    """One blind battle; `probability` is that of the drawn unordered pair.

    `repeated`: the same pair answered the same prompt of its voter before, so a vote would not count. `withdrawn`: its
    link was withdrawn or taken down, so no release has its texts.
    """

    __tablename__ = "battles"

    kind: Mapped[BattleKind] = mapped_column(server_default=BattleKind.TEXT, default=BattleKind.TEXT)
    endpoint_a_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id), index=True)
    endpoint_b_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id), index=True)
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


class TurnRow(ConversationTurnRow, BaseRow):
    """One prompt of a battle."""

    __tablename__ = "turns"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id"))

    replies: Mapped[list[ReplyRow]] = relationship(lazy="selectin", order_by="ReplyRow.id")

    __table_args__ = (
        UniqueConstraint("battle_id", "number"),
        Index("ix_turns_state_deadline_at", "state", "deadline_at"),
    )


class ReplyRow(ConversationReplyRow, BaseRow):
    """One side's answer in a battle."""

    __tablename__ = "replies"

    turn_id: Mapped[int] = mapped_column(ForeignKey("turns.id"))

    __table_args__ = (
        UniqueConstraint("turn_id", "generation", "side"),
        Index("ix_replies_endpoint_id_id", "endpoint_id", "id"),
    )


class VoteRow(BaseRow):
    """One row of the append-only log. `id` makes imports idempotent; imported votes have no `battle_id`.

    `style` has length and numbers of headers, lists and bold texts of answer A, then of B. `terms` is the version of
    the terms that the voter had accepted; it is never published.
    """

    __tablename__ = "votes"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    id: Mapped[str] = mapped_column(String(64), unique=True)
    battle_id: Mapped[str | None] = mapped_column(ForeignKey("battles.id"), unique=True)
    outcome: Mapped[Outcome]
    voter_key: Mapped[str] = mapped_column(String(64))
    idempotency_key: Mapped[str | None] = mapped_column(String(255))
    endpoint_a_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id))
    endpoint_b_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id))
    language: Mapped[str | None] = mapped_column(String(8))
    category: Mapped[str | None] = mapped_column(String(40))
    style: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    turns: Mapped[int | None]
    seconds: Mapped[float | None]
    not_counted: Mapped[NotCounted | None]
    created_at: Mapped[datetime]
    terms: Mapped[int | None]

    __table_args__ = (
        UniqueConstraint("voter_key", "idempotency_key"),
        CheckConstraint("endpoint_a_id <> endpoint_b_id", name="two_endpoints"),
        Index("ix_votes_pair", "endpoint_a_id", "endpoint_b_id", "not_counted", "outcome"),
        {"sqlite_autoincrement": True},
    )


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
