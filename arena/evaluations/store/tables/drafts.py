"""Tables of questions that people write or endpoints convert, their reviews, and the areas of reviewers."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BaseRow, word
from arena.adapters.store.tables.questions import QuestionRow
from arena.domain.terms import JsonObject
from arena.evaluations.domain.terms import ReviewDecision


class QuestionDraftRow(BaseRow):
    """A question that a person wrote for a set, which gets it after its reviews; `name` is its id there."""

    __tablename__ = "question_drafts"

    id: Mapped[int] = mapped_column(primary_key=True)
    set_name: Mapped[str] = mapped_column(String(80))
    name: Mapped[str] = mapped_column(String(64))
    author: Mapped[str] = mapped_column(String(80))
    body: Mapped[JsonObject]
    created_at: Mapped[datetime]

    __table_args__ = (UniqueConstraint("set_name", "name"),)


class DraftReviewRow(BaseRow):
    """One person's review of a draft, numbered from 1; an amendment has the whole question as `body`."""

    __tablename__ = "draft_reviews"

    draft_id: Mapped[int] = mapped_column(ForeignKey("question_drafts.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    reviewer: Mapped[str] = mapped_column(String(80))
    decision: Mapped[ReviewDecision] = mapped_column(word(ReviewDecision))
    body: Mapped[JsonObject | None] = mapped_column(JSON(none_as_null=True))
    remark: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]


class QuestionReviewerRow(BaseRow):
    """An area whose questions a reviewer gets; without rows they get all."""

    __tablename__ = "question_reviewers"

    reviewer: Mapped[str] = mapped_column(String(80), primary_key=True)
    area: Mapped[str] = mapped_column(String(80), primary_key=True)


class QuestionConversionRow(BaseRow):
    """An endpoint's reply to the request to convert a question, by one version of that request.

    `wording` is the closed question in it; without one, `reason` says why.
    """

    __tablename__ = "question_conversions"

    id: Mapped[int] = mapped_column(primary_key=True)
    question_id: Mapped[int] = mapped_column(ForeignKey(QuestionRow.id))
    endpoint: Mapped[str] = mapped_column(String(80))
    version: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    wording: Mapped[JsonObject | None] = mapped_column(JSON(none_as_null=True))
    reason: Mapped[str | None] = mapped_column(Text)
    tokens: Mapped[int]
    created_at: Mapped[datetime]

    __table_args__ = (UniqueConstraint("question_id", "endpoint", "version"),)


class ConversionReviewRow(BaseRow):
    """One person's review of a conversion, numbered from 1; rows are only added."""

    __tablename__ = "conversion_reviews"

    conversion_id: Mapped[int] = mapped_column(ForeignKey("question_conversions.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    reviewer: Mapped[str] = mapped_column(String(80))
    decision: Mapped[ReviewDecision] = mapped_column(word(ReviewDecision))
    wording: Mapped[JsonObject | None] = mapped_column(JSON(none_as_null=True))
    remark: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]
