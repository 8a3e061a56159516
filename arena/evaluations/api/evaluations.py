"""Routes of public evaluations, and of annotation by a link."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import AfterValidator

from arena.api.answer_html import AnswerFormat
from arena.api.contract import BASE, CsvResponse, refusals
from arena.api.dependencies import DatabaseDep, Holder, Newcomer, RuntimeDep, WindowsDep
from arena.domain.answers.blocks import answer_html
from arena.domain.errors import AlreadyAnnotated, RateLimited
from arena.domain.text import well_formed
from arena.evaluations.domain.errors import (
    AnnotatorNotFound,
    EvaluationClosed,
    EvaluationNotFound,
    EvaluationNotOpen,
    UndoTooLate,
)
from arena.evaluations.domain.schemas.evaluation_reports import EvaluationDetailView
from arena.evaluations.domain.schemas.evaluations import AnnotatingView, AnnotationRequest, EvaluationView, ItemView
from arena.evaluations.domain.schemas.judges import JudgesView
from arena.evaluations.domain.schemas.operated_evaluations import LinkView
from arena.evaluations.domain.schemas.predictors import PredictorsView
from arena.evaluations.usecases import views
from arena.evaluations.usecases.people import annotations as annotation_acts
from arena.evaluations.usecases.people import annotators

router = APIRouter(prefix=BASE, tags=["evaluations"])

Name = Annotated[str, AfterValidator(well_formed)]
Number = Annotated[int, Path(ge=1, lt=2**31)]


async def _sizes(request: Request) -> views.Sizes:
    state = request.app.state
    if not hasattr(state, "evaluation_sizes"):
        state.evaluation_sizes = views.Sizes()
    return state.evaluation_sizes


SizesDep = Annotated[views.Sizes, Depends(_sizes)]


@router.get("/evaluations")
async def list_evaluations(database: DatabaseDep, sizes: SizesDep) -> list[EvaluationView]:
    """List evaluations that the public may annotate, and closed ones that were published."""
    return await views.list_public(database, sizes)


@router.get("/evaluations/{evaluation}", responses=refusals(EvaluationNotFound))
async def get_evaluation(evaluation: Name, database: DatabaseDep) -> EvaluationDetailView:
    """Return an evaluation, with its models and its report once it is closed and published."""
    return await views.record(database, evaluation)


@router.get("/judges")
async def list_judges(database: DatabaseDep) -> list[JudgesView]:
    """List the published reports on models as judges of evaluations; judgements are never votes."""
    return await views.published_judges(database)


@router.get("/predictors")
async def list_predictors(database: DatabaseDep) -> PredictorsView:
    """Return how well evaluations predict the boards, and forecasts of ratings of models without votes."""
    return await views.published_predictions(database)


@router.get("/evaluations/{evaluation}/report.csv", response_class=CsvResponse, responses=refusals(EvaluationNotFound))
async def get_report_csv(evaluation: Name, database: DatabaseDep) -> CsvResponse:
    """Return the tables of a published report as CSV, one below the other."""
    result = (await views.record(database, evaluation)).report
    if result is None:
        raise EvaluationNotFound
    return CsvResponse(views.as_csv(result))


@router.post(
    "/evaluations/{evaluation}/annotators",
    status_code=201,
    responses=refusals(EvaluationNotFound, EvaluationClosed, AnnotatorNotFound, RateLimited),
)
async def join_evaluation(
    evaluation: Name, response: Response, runtime: RuntimeDep, windows: WindowsDep, voter: Newcomer
) -> LinkView:
    """Become a public annotator; a later call gives a new link, which replaces the earlier one."""
    response.headers["Cache-Control"] = "no-store"
    async with windows.counted(windows.joins, voter.address):
        link = await annotators.join(runtime.database, evaluation, voter, runtime.now())
    return LinkView(link=link)


@router.post("/annotate/{link}/items", responses=refusals(AnnotatorNotFound, EvaluationNotOpen, EvaluationClosed))
async def get_annotation_items(
    link: Name, response: Response, runtime: RuntimeDep, voter: Holder, form: AnswerFormat = "text"
) -> AnnotatingView:
    """Return the items that an annotator has to judge, the current one first; none at the end."""
    response.headers["Cache-Control"] = "no-store"
    network = runtime.bounds.place(voter, runtime.now()).digest
    view = await annotation_acts.items(runtime.database, link, network, runtime.now())
    return await asyncio.to_thread(with_html, view) if form == "html" else view


def with_html(view: AnnotatingView) -> AnnotatingView:
    """The view with answers and references as safe HTML."""
    return view.model_copy(update={"items": [_item_with_html(item) for item in view.items]})


def _item_with_html(item: ItemView) -> ItemView:
    html = [[answer_html(text) for text in side] for side in item.answers]
    reference = None if item.reference is None else answer_html(item.reference)
    return item.model_copy(update={"html": html, "reference_html": reference})


@router.put(
    "/annotate/{link}/items/{number}",
    status_code=204,
    responses=refusals(AnnotatorNotFound, EvaluationNotOpen, EvaluationClosed, AlreadyAnnotated),
)
async def annotate_item(link: Name, number: Number, request: AnnotationRequest, runtime: RuntimeDep) -> None:
    """Judge an item: `said` has an `outcome` (a is the left side), or points by criterion, or `skip` as outcome."""
    await annotation_acts.annotate(runtime.database, link, number, request, runtime.now())


@router.delete(
    "/annotate/{link}/items/{number}",
    status_code=204,
    responses=refusals(AnnotatorNotFound, EvaluationNotOpen, EvaluationClosed, UndoTooLate),
)
async def undo_annotation(link: Name, number: Number, runtime: RuntimeDep) -> None:
    """Undo the last annotation, within three seconds."""
    await annotation_acts.undo(runtime.database, link, number, runtime.now())
