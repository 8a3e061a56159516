"""How far evaluations have come: answers, items and annotations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.adapters.store import questions
from arena.evaluations.domain.terms import Design, EvaluationState
from arena.evaluations.store import annotations
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import found

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.evaluations.store.tables import EvaluationRow


@dataclass(frozen=True, slots=True)
class ModelProgress:
    """How many questions a model has answered and failed to answer, with its faults and their numbers."""

    name: str
    answered: int
    failed: int
    faults: dict[str, int]
    endpoint: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of an evaluation in figures."""

    name: str
    state: EvaluationState
    protocol: str
    design: Design
    per_item: int
    overlap: int
    repeats: float
    least_consistency: float | None
    least_right: float | None
    set: str
    questions: int
    models: tuple[ModelProgress, ...]
    items: int
    annotations: int
    needed: int
    created_at: datetime
    digest: str | None


async def progress(database: Database, name: str) -> Progress:
    """Return how far an evaluation has come.

    Raises:
        EvaluationNotFound: There is none of this name.
    """
    return await database.read(lambda session: _progress(session, found(session, name)))


async def listed(database: Database) -> list[Progress]:
    """Return how far all evaluations have come, newest first."""
    return await database.read(lambda session: [_progress(session, row) for row in stored.every(session)])


def _progress(session: Session, row: EvaluationRow) -> Progress:
    chosen, (items, needed) = questions.by_id(session, row.set_id), stored.size(session, row.id)
    return Progress(
        name=row.name,
        state=row.state,
        protocol=row.protocol,
        design=row.design,
        per_item=row.per_item,
        overlap=row.overlap,
        repeats=row.repeats,
        least_consistency=row.least_consistency,
        least_right=row.least_right,
        set=f"{chosen.name} {chosen.version}",
        questions=chosen.questions,
        models=_models(session, row),
        items=items,
        annotations=annotations.count(session, row.id),
        needed=needed,
        created_at=row.created_at,
        digest=row.digest,
    )


def _models(session: Session, row: EvaluationRow) -> tuple[ModelProgress, ...]:
    faults: dict[int, list[str | None]] = {}
    for (model, _question), fault in stored.answered(session, row.id).items():
        faults.setdefault(model, []).append(fault)
    return tuple(
        _model(each.name, faults.get(each.id, []), endpoint=each.endpoint_id is not None)
        for each in stored.models(session, row.id)
    )


def _model(name: str, faults: list[str | None], *, endpoint: bool) -> ModelProgress:
    failed = [fault for fault in faults if fault is not None]
    counts = {fault: failed.count(fault) for fault in sorted(set(failed))}
    return ModelProgress(name, len(faults) - len(failed), len(failed), counts, endpoint)
