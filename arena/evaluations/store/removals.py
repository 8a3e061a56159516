"""Removal of evaluations that hold nothing yet."""

from __future__ import annotations

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.orm import Session

from arena.evaluations.domain.terms import EvaluationState
from arena.evaluations.store.tables.annotations import AnnotatorRow, EvaluationItemRow
from arena.evaluations.store.tables.answers import EvaluationAnswerRow
from arena.evaluations.store.tables.evaluations import EvaluationModelRow, EvaluationRow


def is_removable(session: Session, row: EvaluationRow) -> bool:
    """Whether an evaluation is a draft without answers, items and people, of which no model is being asked."""
    if row.state is not EvaluationState.DRAFT or row.running_at is not None:
        return False
    answer = select(EvaluationAnswerRow.id).where(_of_models(row), EvaluationAnswerRow.fault.is_(None))
    item = select(EvaluationItemRow.id).where(EvaluationItemRow.evaluation_id == row.id)
    person = select(AnnotatorRow.id).where(AnnotatorRow.evaluation_id == row.id)
    return all(session.scalar(query.limit(1)) is None for query in (answer, item, person))


def remove(session: Session, row: EvaluationRow) -> None:
    """Delete such an evaluation with its models and their failures."""
    session.execute(delete(EvaluationAnswerRow).where(_of_models(row)))
    session.execute(delete(EvaluationModelRow).where(EvaluationModelRow.evaluation_id == row.id))
    session.delete(row)
    session.flush()


def _of_models(row: EvaluationRow) -> ColumnElement[bool]:
    models = select(EvaluationModelRow.id).where(EvaluationModelRow.evaluation_id == row.id)
    return EvaluationAnswerRow.model_id.in_(models)
