"""The columns that battles and chats have in common."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    JSON,
    ForeignKey,
    String,
    Text,
)
from sqlalchemy.orm import Mapped, mapped_column

from arena.domain.terms import BattleState, Finish, Side, TurnState


class Conversation:
    """Columns of a conversation, blind battle or chat."""

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    voter_key: Mapped[str] = mapped_column(String(64), index=True)
    state: Mapped[BattleState]
    created_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class Turn:
    """One prompt of a conversation. `generation` counts how often its answers were regenerated.

    `process` is the address of the process that runs the turn, if there are several; `shown_at` is when the first text
    of the current answers was shown. `images` are ids of uploads, which may be gone.
    """

    id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int]
    generation: Mapped[int] = mapped_column(default=0)
    prompt: Mapped[str] = mapped_column(Text)
    images: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    state: Mapped[TurnState]
    shown_at: Mapped[datetime | None]
    process: Mapped[str | None] = mapped_column(String(200))
    failure: Mapped[str | None] = mapped_column(String(40))
    started_at: Mapped[datetime]
    deadline_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class Reply:
    """One side's answer in one generation of a turn; earlier generations are kept.

    `reasoning` is stored only if the operator shows it after the vote.
    """

    id: Mapped[int] = mapped_column(primary_key=True)
    endpoint_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"))
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
