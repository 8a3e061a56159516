"""Tables of evaluations; they share the metadata of the arena's."""

from __future__ import annotations

from arena.evaluations.store.tables.evaluations import (
    AnnotationRow,
    AnnotatorNetworkRow,
    AnnotatorRow,
    AssignmentRow,
    EvaluationAnswerRow,
    EvaluationItemRow,
    EvaluationModelRow,
    EvaluationReportRow,
    EvaluationRow,
    WithdrawalRow,
)
from arena.evaluations.store.tables.judgements import (
    ConversionReviewRow,
    JudgementRow,
    JudgesReportRow,
    PredictionReportRow,
    QuestionConversionRow,
)

__all__ = [
    "AnnotationRow",
    "AnnotatorNetworkRow",
    "AnnotatorRow",
    "AssignmentRow",
    "ConversionReviewRow",
    "EvaluationAnswerRow",
    "EvaluationItemRow",
    "EvaluationModelRow",
    "EvaluationReportRow",
    "EvaluationRow",
    "JudgementRow",
    "JudgesReportRow",
    "PredictionReportRow",
    "QuestionConversionRow",
    "WithdrawalRow",
]
