"""Published reports of evaluations."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BaseRow
from arena.evaluations.store.tables.evaluations import EvaluationRow


class EvaluationReportRow(BaseRow):
    """The report of a closed evaluation."""

    __tablename__ = "evaluation_reports"

    evaluation_id: Mapped[int] = mapped_column(ForeignKey(EvaluationRow.id), primary_key=True)
    content: Mapped[dict[str, Any]]


class JudgesReportRow(BaseRow):
    """The published report on the judges of an evaluation."""

    __tablename__ = "judges_reports"

    evaluation_id: Mapped[int] = mapped_column(ForeignKey(EvaluationRow.id), primary_key=True)
    content: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]


class PredictionReportRow(BaseRow):
    """A published report on how well evaluations predict the boards; the newest is shown."""

    __tablename__ = "prediction_reports"

    id: Mapped[int] = mapped_column(primary_key=True)
    content: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]
