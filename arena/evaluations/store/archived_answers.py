"""Queries about the answers of closed evaluations whose texts are moved to files, one file for each model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, select, update

from arena.adapters.store.tables import QuestionRow
from arena.evaluations.domain.terms import EvaluationState
from arena.evaluations.store.tables import EvaluationAnswerRow, EvaluationModelRow, EvaluationRow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session


def due(session: Session, before: datetime) -> Sequence[EvaluationModelRow]:
    """The models whose texts are in the database, of evaluations closed and last put back before a time."""
    since = func.coalesce(EvaluationRow.restored_at, EvaluationRow.closed_at)
    query = (
        select(EvaluationModelRow)
        .join(EvaluationRow, EvaluationRow.id == EvaluationModelRow.evaluation_id)
        .where(EvaluationRow.state == EvaluationState.CLOSED, since < before, EvaluationModelRow.archive.is_(None))
    )
    return session.scalars(query.order_by(EvaluationModelRow.id)).all()


def texts(session: Session, model_id: int) -> list[tuple[int, str, list[str]]]:
    """The row, the question and the texts of each answer of a model that has not failed, by question."""
    rows = session.execute(
        select(EvaluationAnswerRow.id, QuestionRow.name, EvaluationAnswerRow.texts)
        .join(QuestionRow, QuestionRow.id == EvaluationAnswerRow.question_id)
        .where(*_good(model_id))
        .order_by(QuestionRow.number)
    )
    return [(row.id, row.name, row.texts) for row in rows]


def move(session: Session, model_id: int, digest: str, before: datetime) -> bool:
    """Empty the texts of a model's answers, which are in the file with this digest; False if it is not due any more."""
    if not any(model.id == model_id for model in due(session, before)):
        return False
    session.execute(update(EvaluationAnswerRow).where(*_good(model_id)).values(texts=[]))
    _mark(session, model_id, digest)
    return True


def put_back(session: Session, model_id: int, found: Mapping[int, list[str]]) -> None:
    """Put texts back by the rows of their answers."""
    if found:
        mine = EvaluationAnswerRow.model_id == model_id, EvaluationAnswerRow.id == bindparam("row")
        rows = [{"row": row, "new": each} for row, each in found.items()]
        session.connection().execute(update(EvaluationAnswerRow).where(*mine).values(texts=bindparam("new")), rows)
    _mark(session, model_id, None)


def moved(session: Session, evaluation_id: int) -> Sequence[EvaluationModelRow]:
    """The models of an evaluation whose texts are in files."""
    mine = EvaluationModelRow.evaluation_id == evaluation_id, EvaluationModelRow.archive.is_not(None)
    return session.scalars(select(EvaluationModelRow).where(*mine).order_by(EvaluationModelRow.id)).all()


def _good(model_id: int) -> tuple[ColumnElement[bool], ...]:
    return EvaluationAnswerRow.model_id == model_id, EvaluationAnswerRow.fault.is_(None)


def _mark(session: Session, model_id: int, digest: str | None) -> None:
    session.execute(update(EvaluationModelRow).where(EvaluationModelRow.id == model_id).values(archive=digest))
