"""The operator's routes of evaluations: all of them, and what can still be set."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

from arena.api.contract import refusals
from arena.api.dependencies import DatabaseDep
from arena.domain.errors import Conflict
from arena.domain.text import well_formed
from arena.evaluations import usecases as evaluations
from arena.evaluations.api.conversion_reviews import router
from arena.evaluations.domain.errors import EvaluationNotFound
from arena.evaluations.domain.schemas.evaluations import EvaluationChangeRequest, EvaluationView

Name = Annotated[str, AfterValidator(well_formed)]


@router.get("/evaluations")
async def every(database: DatabaseDep) -> list[EvaluationView]:
    """List all evaluations, newest first."""
    return await evaluations.every(database)


@router.patch("/evaluations/{evaluation}", responses=refusals(EvaluationNotFound, Conflict))
async def change(evaluation: Name, database: DatabaseDep, wanted: EvaluationChangeRequest) -> EvaluationView:
    """Set thresholds of annotators, or the design of a draft."""
    return await evaluations.change(database, evaluation, wanted)
