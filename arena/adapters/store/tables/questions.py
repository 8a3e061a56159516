"""Question sets; sets and questions are immutable."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BaseRow
from arena.domain.terms import JsonObject


class QuestionSetRow(BaseRow):
    """One version of a set; `digest` is the SHA-256 of its exported file. Only `public` may change.

    `plan` has the nodes of the planned tree of tasks.
    """

    __tablename__ = "question_sets"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    version: Mapped[int]
    licence: Mapped[str] = mapped_column(String(300))
    source: Mapped[str] = mapped_column(String(300))
    language: Mapped[str] = mapped_column(String(8))
    digest: Mapped[str] = mapped_column(String(64))
    questions: Mapped[int]
    plan: Mapped[list[object]] = mapped_column(JSON, server_default="[]")
    public: Mapped[bool]
    created_at: Mapped[datetime]

    __table_args__ = (UniqueConstraint("name", "version"),)


class QuestionRow(BaseRow):
    """One question of a set: `body` is the whole question, the other columns are for queries."""

    __tablename__ = "questions"

    id: Mapped[int] = mapped_column(primary_key=True)
    set_id: Mapped[int] = mapped_column(ForeignKey("question_sets.id"))
    number: Mapped[int]
    name: Mapped[str] = mapped_column(String(64))
    area: Mapped[str] = mapped_column(String(80))
    category: Mapped[str] = mapped_column(String(80))
    task: Mapped[str] = mapped_column(String(80))
    turns: Mapped[int]
    prompt: Mapped[str] = mapped_column(Text)
    body: Mapped[JsonObject]

    __table_args__ = (
        UniqueConstraint("set_id", "number"),
        UniqueConstraint("set_id", "name"),
    )
