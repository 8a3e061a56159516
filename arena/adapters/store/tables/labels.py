"""Labels of prompts, append-only, and the samples that people label."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, BaseRow
from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.questions import QuestionRow
from arena.domain.terms import JsonObject


class LabelRow(BaseRow):
    """The labels of one set by a labeller for a vote's prompts or a question; `values` may be empty.

    `version` is that of the labeller; a new one only adds rows, so boards of earlier versions stay the same.
    """

    __tablename__ = "labels"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    vote_number: Mapped[int | None] = mapped_column(ForeignKey(VoteRow.number))
    question_id: Mapped[int | None] = mapped_column(ForeignKey(QuestionRow.id))
    label_set: Mapped[str] = mapped_column(String(40))
    labeller: Mapped[str] = mapped_column(String(80))
    version: Mapped[int]
    values: Mapped[list[str]]
    created_at: Mapped[datetime]

    __table_args__ = (
        UniqueConstraint("vote_number", "label_set", "labeller", "version", name="uq_labels_vote"),
        UniqueConstraint("question_id", "label_set", "labeller", "version", name="uq_labels_question"),
        CheckConstraint("(vote_number IS NULL) <> (question_id IS NULL)", name="one_subject"),
        Index("ix_labels_source", "label_set", "labeller", "version", "number"),
        {"sqlite_autoincrement": True},
    )


class LabelAnswerRow(BaseRow):
    """The labels by an endpoint for a request, by the request's SHA-256; no request is sent to an endpoint twice.

    `readable` is False, and `values` empty, for a refusal or an answer with anything but labels.
    """

    __tablename__ = "label_answers"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    labeller: Mapped[str] = mapped_column(String(80), primary_key=True)
    values: Mapped[list[str]]
    readable: Mapped[bool]
    tokens: Mapped[int]
    created_at: Mapped[datetime]


class LabelSampleRow(BaseRow):
    """An item of the sample of one set: a vote's prompts or a question.

    `digest` is that of the request to endpoints, as in `LabelAnswerRow`; `by_rules` has the labels by each version of
    the rules.
    """

    __tablename__ = "label_samples"

    id: Mapped[int] = mapped_column(primary_key=True)
    label_set: Mapped[str] = mapped_column(String(40))
    number: Mapped[int]
    vote_number: Mapped[int | None] = mapped_column(BIG, ForeignKey(VoteRow.number))
    question_id: Mapped[int | None] = mapped_column(ForeignKey(QuestionRow.id))
    digest: Mapped[str] = mapped_column(String(64))
    by_rules: Mapped[JsonObject]
    created_at: Mapped[datetime]

    __table_args__ = (
        UniqueConstraint("label_set", "number"),
        CheckConstraint("(vote_number IS NULL) <> (question_id IS NULL)", name="one_subject"),
    )
