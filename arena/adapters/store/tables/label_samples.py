"""The sample of conversations that people label, with what rules say of each."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, Table


class LabelSampleRow(Table):
    """An item of the sample of one set: a vote's prompts or a question.

    `digest` is that of the request to endpoints, by which their answers are found; `by_rules` has the labels of each
    version of the rules.
    """

    __tablename__ = "label_samples"

    id: Mapped[int] = mapped_column(primary_key=True)
    label_set: Mapped[str] = mapped_column(String(40))
    number: Mapped[int]
    vote_number: Mapped[int | None] = mapped_column(BIG, ForeignKey("votes.number"))
    question_id: Mapped[int | None] = mapped_column(ForeignKey("questions.id"))
    digest: Mapped[str] = mapped_column(String(64))
    by_rules: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]

    __table_args__ = (
        UniqueConstraint("label_set", "number"),
        CheckConstraint("(vote_number IS NULL) <> (question_id IS NULL)", name="one_subject"),
    )
