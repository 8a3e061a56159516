"""Answers of the models of an evaluation, and scores of answers."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BaseRow
from arena.adapters.store.tables.questions import QuestionRow
from arena.domain.terms import JsonObject
from arena.evaluations.store.tables.evaluations import EvaluationModelRow


class EvaluationAnswerRow(BaseRow):
    """A model's answers to all turns of a question, or the fault of its failure.

    `settings` are those of the call, empty for an answer from a file. `sent` is the part of `tokens` in prompts.
    """

    __tablename__ = "evaluation_answers"

    id: Mapped[int] = mapped_column(primary_key=True)
    model_id: Mapped[int] = mapped_column(ForeignKey(EvaluationModelRow.id))
    question_id: Mapped[int] = mapped_column(ForeignKey(QuestionRow.id))
    texts: Mapped[list[str]]
    fault: Mapped[str | None] = mapped_column(String(40))
    settings: Mapped[JsonObject]
    tokens: Mapped[int | None]
    milliseconds: Mapped[int | None]
    created_at: Mapped[datetime]
    sent: Mapped[int | None]

    __table_args__ = (UniqueConstraint("model_id", "question_id"),)


class AnswerScoreRow(BaseRow):
    """The score of an answer by a scorer in the log of another tool."""

    __tablename__ = "answer_scores"

    id: Mapped[int] = mapped_column(primary_key=True)
    model_id: Mapped[int] = mapped_column(ForeignKey(EvaluationModelRow.id))
    question_id: Mapped[int] = mapped_column(ForeignKey(QuestionRow.id))
    scorer: Mapped[str] = mapped_column(String(80))
    value: Mapped[float]

    __table_args__ = (UniqueConstraint("model_id", "question_id", "scorer"),)
