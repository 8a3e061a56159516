"""The operator's routes of evaluations: all of them, and what can still be set."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path, Query
from pydantic import AfterValidator

from arena.api.contract import refusals
from arena.api.dependencies import DatabaseDep, RuntimeDep
from arena.api.routes.operator import router as operator
from arena.domain.errors import Conflict, NotFound, QuestionSetNotFound
from arena.domain.text import well_formed
from arena.evaluations import usecases as evaluations
from arena.evaluations.domain.errors import AlreadyReviewed, EvaluationNotFound
from arena.evaluations.domain.questions.reviews import Review, reviewer_name
from arena.evaluations.domain.schemas.conversions import ConversionTaskView, ConversionView, Reviewer, ReviewRequest
from arena.evaluations.domain.schemas.evaluations import EvaluationChangeRequest, EvaluationView
from arena.evaluations.domain.terms import ConversionState
from arena.evaluations.usecases.sets import conversion_reviews

if TYPE_CHECKING:
    from arena.evaluations.usecases.sets.conversion_reviews import Conversion

Name = Annotated[str, AfterValidator(well_formed)]
Number = Annotated[int, Path(ge=1, lt=2**31)]
SetName = Annotated[str, Query(alias="questions", max_length=80), AfterValidator(well_formed)]
router = APIRouter(prefix=operator.prefix, tags=operator.tags, dependencies=operator.dependencies)
ENDED = frozenset({ConversionState.CONFIRMED, ConversionState.REJECTED})


@router.get("/evaluations")
async def every(database: DatabaseDep) -> list[EvaluationView]:
    """List all evaluations, newest first."""
    return await evaluations.every(database)


@router.patch("/evaluations/{evaluation}", responses=refusals(EvaluationNotFound, Conflict))
async def change(evaluation: Name, database: DatabaseDep, wanted: EvaluationChangeRequest) -> EvaluationView:
    """Set thresholds of annotators, or the design of a draft."""
    return await evaluations.change(database, evaluation, wanted)


@router.get("/conversions", responses=refusals(QuestionSetNotFound))
async def work(name: SetName, reviewer: Annotated[Reviewer, Query()], database: DatabaseDep) -> ConversionTaskView:
    """Return the next converted question of a set that this person can review."""
    results, who = await conversion_reviews.conversions_of(database, name), reviewer_name(reviewer)
    states = Counter(str(result.reviewed.state) for result in results)
    left = (
        result for result in results if result.reviewed.state not in ENDED and who not in result.reviewed.confirmed_by
    )
    item = next(left, None)
    return ConversionTaskView(item=item and _view(item), states=states)


@router.post("/conversions/{number}/reviews", status_code=204, responses=refusals(NotFound, AlreadyReviewed))
async def review(number: Number, said: ReviewRequest, runtime: RuntimeDep) -> None:
    """Append a person's review; three have to confirm one wording, and who amends it is the first."""
    word = Review(said.reviewer, said.verdict, said.wording, said.remark)
    await conversion_reviews.review(runtime.database, number, word, runtime.now())


def _view(each: Conversion) -> ConversionView:
    return ConversionView(
        number=each.id,
        question=each.question.id,
        prompt=each.question.turns[0],
        endpoint=each.endpoint,
        state=each.reviewed.state,
        wording=each.reviewed.wording,
        text=each.text,
        confirmed_by=list(each.reviewed.confirmed_by),
        remarks=[said.remark for said in each.reviews if said.remark],
    )
