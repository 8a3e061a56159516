"""Changes of an evaluation: its thresholds until it is closed, its design while it is a draft."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.adapters.store.engine import Database
from arena.domain.errors import Conflict
from arena.evaluations.domain.schemas.evaluations import EvaluationChangeRequest, EvaluationView
from arena.evaluations.domain.terms import Design, EvaluationState
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store.tables.evaluations import EvaluationRow
from arena.evaluations.usecases.definition import (
    check_design,
    check_thresholds,
    evaluation_row,
    locked_evaluation,
    pair_probabilities,
)
from arena.evaluations.usecases.views import view_of


async def change(database: Database, name: str, edit: EvaluationChangeRequest) -> EvaluationView:
    """Change the settings that are not None, and return the changed evaluation.

    Raises:
        EvaluationNotFound: There is none of this name.
        Conflict: It is closed, its items are drawn, or a baseline decides its design.
        Invalid: There is no such design, or it does not suit the evaluation.
    """
    await database.write(_change, name, edit)
    return await database.read(lambda session: view_of(session, evaluation_row(session, name)))


def _change(session: Session, name: str, edit: EvaluationChangeRequest) -> bool:
    """Change them; returns whether any has another value."""
    row = locked_evaluation(session, name)
    if row.state is EvaluationState.CLOSED:
        raise Conflict(rule="closed", name=name)
    if edit.design is not None and edit.design != row.design:
        _redesign(session, row, edit.design)
    for field in ("least_consistency", "least_right"):
        share = getattr(edit, field)
        if share is not None:
            check_thresholds(share or None)
            setattr(row, field, share or None)
    return session.is_modified(row)


def _redesign(session: Session, row: EvaluationRow, design: str) -> None:
    if row.state is not EvaluationState.DRAFT:
        sentence = f"The items of {row.name} are drawn, so its design stays {row.design}."
        raise Conflict(sentence, rule="drawn", name=row.name)
    if row.design is Design.BASELINE:
        raise Conflict(rule="baseline", name=row.name)
    check_design(design, row.protocol)
    models = [(model.name, model.endpoint_id) for model in stored.models(session, row.id)]
    row.draw = pair_probabilities(session, design, models)
    row.design = Design(design)
