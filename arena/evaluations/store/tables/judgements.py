"""Table of judgements by models, append-only."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, BaseRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.questions import QuestionRow
from arena.evaluations.store.tables.evaluations import EvaluationModelRow, EvaluationRow


class JudgementRow(BaseRow):
    """A judge's reply about two models' answers to the turns of a question up to `turn`, in one order.

    `swapped` shows the second model's answer first. `outcome` has the first model as a, and is null without a verdict.
    If one answer is judged alone, both models are the same, and `scores` has its scores in the order of the rubric,
    with commas. `cost` is in US dollars, null without prices. Rows are only added.
    """

    __tablename__ = "judgements"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    evaluation_id: Mapped[int] = mapped_column(ForeignKey(EvaluationRow.id))
    question_id: Mapped[int] = mapped_column(ForeignKey(QuestionRow.id))
    turn: Mapped[int]
    first_id: Mapped[int] = mapped_column(ForeignKey(EvaluationModelRow.id))
    second_id: Mapped[int] = mapped_column(ForeignKey(EvaluationModelRow.id))
    judge_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id))
    rubric: Mapped[str] = mapped_column(String(40))
    rubric_version: Mapped[int]
    language: Mapped[str] = mapped_column(String(8))
    swapped: Mapped[bool]
    text: Mapped[str] = mapped_column(Text)
    outcome: Mapped[str | None] = mapped_column(String(16))
    strong: Mapped[bool]
    scores: Mapped[str | None] = mapped_column(String(80))
    tokens: Mapped[int]
    cost: Mapped[float | None]
    milliseconds: Mapped[int]
    created_at: Mapped[datetime]

    __table_args__ = (
        UniqueConstraint(
            *("question_id", "turn", "first_id", "second_id", "judge_id", "rubric", "rubric_version", "swapped"),
            name="uq_judgements_pair",
        ),
        Index("ix_judgements_evaluation_id", "evaluation_id", "number"),
        {"sqlite_autoincrement": True},
    )
