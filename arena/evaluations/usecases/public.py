"""Evaluations as everybody may see them: those open to the public, and closed ones that were published."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.store import questions
from arena.evaluations.domain.errors import EvaluationNotFound
from arena.evaluations.domain.schemas.evaluations import EvaluationDetailView, EvaluationReportView, EvaluationView
from arena.evaluations.domain.schemas.judges import JudgesView
from arena.evaluations.domain.schemas.predictors import PredictorsView
from arena.evaluations.domain.terms import EvaluationState
from arena.evaluations.store import annotations, judgements
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import found

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.evaluations.store.tables import EvaluationRow


async def shown(database: Database) -> list[EvaluationView]:
    """List the evaluations that everybody may see, newest first."""
    return await database.read(
        lambda session: [view_of(session, row) for row in stored.every(session) if _is_shown(session, row)]
    )


async def record(database: Database, name: str) -> EvaluationDetailView:
    """Return one of them; models and report only where the report was published.

    Raises:
        EvaluationNotFound: There is none of this name that everybody may see.
    """
    return await database.read(_record, name)


async def published_judges(database: Database) -> list[JudgesView]:
    """Return the published reports on judges, those of the newest evaluation first."""
    return [JudgesView.model_validate(content) for content in await database.read(judgements.reports)]


async def published_predictions(database: Database) -> PredictorsView:
    """Return the newest report on predictors, or an empty one."""
    content = await database.read(judgements.newest_prediction)
    return PredictorsView.model_validate(content) if content else PredictorsView()


def _is_shown(session: Session, row: EvaluationRow) -> bool:
    return (row.public and row.state is not EvaluationState.DRAFT) or stored.report(session, row.id) is not None


def _record(session: Session, name: str) -> EvaluationDetailView:
    row = found(session, name)
    if not _is_shown(session, row):
        raise EvaluationNotFound
    content = stored.report(session, row.id)
    return EvaluationDetailView(
        **dict(view_of(session, row)),
        models=[each.name for each in stored.models(session, row.id)] if content else [],
        report=EvaluationReportView.model_validate(content) if content else None,
    )


def view_of(session: Session, row: EvaluationRow) -> EvaluationView:
    """An evaluation without its models and its report."""
    items, needed = stored.size(session, row.id)
    return EvaluationView(
        name=row.name,
        state=row.state,
        protocol=row.protocol,
        design=row.design,
        per_item=row.per_item,
        overlap=row.overlap,
        repeats=row.repeats,
        least_consistency=row.least_consistency,
        least_right=row.least_right,
        questions=questions.by_id(session, row.set_id).questions,
        items=items,
        annotations=annotations.count(session, row.id),
        needed=needed,
        public=row.public,
        digest=row.digest,
        created_at=row.created_at,
        closed_at=row.closed_at,
    )
