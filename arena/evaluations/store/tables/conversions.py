"""Questions converted for another protocol, and their reviews by people."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BaseRow, word
from arena.adapters.store.tables.questions import QuestionRow
from arena.evaluations.domain.terms import ReviewDecision


class QuestionConversionRow(BaseRow):
    """Text of an endpoint about one open question, asked by one version of the words.

    `wording` is the closed question in it; where there is none, `reason` says why.
    """

    __tablename__ = "question_conversions"

    id: Mapped[int] = mapped_column(primary_key=True)
    question_id: Mapped[int] = mapped_column(ForeignKey(QuestionRow.id))
    endpoint: Mapped[str] = mapped_column(String(80))
    version: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    wording: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    reason: Mapped[str | None] = mapped_column(Text)
    tokens: Mapped[int]
    created_at: Mapped[datetime]

    __table_args__ = (UniqueConstraint("question_id", "endpoint", "version"),)


class ConversionReviewRow(BaseRow):
    """The review of one person on one conversion, numbered from 1; rows are only added."""

    __tablename__ = "conversion_reviews"

    conversion_id: Mapped[int] = mapped_column(ForeignKey("question_conversions.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    reviewer: Mapped[str] = mapped_column(String(80))
    decision: Mapped[ReviewDecision] = mapped_column(word(ReviewDecision))
    wording: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    remark: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]
