"""Routes of operators for evaluations, their annotators, and reviews of converted questions."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import AfterValidator

from arena.api.contract import refusals
from arena.api.dependencies import DatabaseDep, RuntimeDep
from arena.api.operators import Acting, acts, asks, person
from arena.api.routes.operator import router as operator
from arena.domain.errors import Busy, Conflict, Invalid, NotFound, QuestionSetNotFound
from arena.domain.operators import Act, ActKind, Operator, OperatorRole
from arena.domain.text import well_formed
from arena.evaluations.api.evaluations import SizesDep
from arena.evaluations.domain.errors import (
    AlreadyReviewed,
    EvaluationClosed,
    EvaluationIncomplete,
    EvaluationNotFound,
)
from arena.evaluations.domain.questions.reviews import Review, reviewer_name
from arena.evaluations.domain.schemas.evaluations import EvaluationChangeRequest, EvaluationProgressView, EvaluationView
from arena.evaluations.domain.schemas.operated_evaluations import (
    AnnotatorStateView,
    CandidateView,
    ClosingRequest,
    ConversionTaskView,
    ConversionView,
    DraftRequest,
    DraftView,
    InvitationRequest,
    InvitationView,
    OpeningRequest,
    Reviewer,
    ReviewRequest,
)
from arena.evaluations.domain.terms import ConversionState
from arena.evaluations.usecases import drafts, lifecycle, revision, runs, views
from arena.evaluations.usecases.people import annotators as annotator_acts
from arena.evaluations.usecases.reports.report_process import report_apart
from arena.evaluations.usecases.sets import conversion_reviews
from arena.evaluations.usecases.sets.conversion_reviews import Conversion
from arena.usecases.people import acts as operator_acts

Name = Annotated[str, AfterValidator(well_formed)]
Number = Annotated[int, Path(ge=1, lt=2**31)]
SetName = Annotated[str, Query(alias="questions", max_length=80), AfterValidator(well_formed)]
router = APIRouter(
    prefix=operator.prefix, tags=operator.tags, dependencies=operator.dependencies, responses=operator.responses
)
ENDED = frozenset({ConversionState.CONFIRMED, ConversionState.REJECTED})


@router.get("/evaluations", dependencies=[asks(OperatorRole.VIEWER)])
async def list_operated_evaluations(database: DatabaseDep, sizes: SizesDep) -> list[EvaluationView]:
    """List all evaluations, newest first."""
    return await views.list_all(database, sizes)


@router.patch("/evaluations/{evaluation}", responses=refusals(EvaluationNotFound, Conflict))
async def change_evaluation(
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.EVALUATION_CHANGED)],
    evaluation: Name,
    edit: EvaluationChangeRequest,
) -> EvaluationView:
    """Set thresholds of annotators, or the design of a draft."""
    by.changed(**edit.model_dump(mode="json", exclude_unset=True))
    return await revision.change(by.database, evaluation, edit)


@router.get("/evaluation-models", dependencies=[asks(OperatorRole.VIEWER)])
async def list_evaluation_models(database: DatabaseDep) -> list[CandidateView]:
    """List models and configurations that evaluations may ask."""
    return await drafts.candidates(database)


@router.post("/evaluations", status_code=201, responses=refusals(Conflict, Invalid, Busy))
async def create_evaluation(
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.EVALUATION_MADE)],
    request: DraftRequest,
    runtime: RuntimeDep,
) -> DraftView:
    """Make an evaluation from text or a file with questions or finished answers."""
    by.on(request.name)
    return await drafts.make_draft(by.database, request, runtime.now())


@router.get(
    "/evaluations/{evaluation}", dependencies=[asks(OperatorRole.VIEWER)], responses=refusals(EvaluationNotFound)
)
async def get_evaluation_progress(evaluation: Name, database: DatabaseDep) -> EvaluationProgressView:
    """Return the progress of an evaluation, and the cost of its answers."""
    return await views.progress(database, evaluation)


@router.delete("/evaluations/{evaluation}", status_code=204, responses=refusals(EvaluationNotFound, Conflict))
async def delete_evaluation(
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.EVALUATION_DELETED)], evaluation: Name
) -> None:
    """Delete a draft without answers, annotations and invitations; its name is free again."""
    await drafts.delete_draft(by.database, evaluation)


@router.post("/evaluations/{evaluation}/run", status_code=202, responses=refusals(EvaluationNotFound, Conflict))
async def start_evaluation_run(
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.EVALUATION_RUN)], evaluation: Name, runtime: RuntimeDep
) -> EvaluationProgressView:
    """Start asking the models the questions without an answer; the run continues when the page is closed."""
    await runs.start_run(by.database, evaluation, runtime.now())
    return await views.progress(by.database, evaluation)


@router.delete("/evaluations/{evaluation}/run", responses=refusals(EvaluationNotFound))
async def cancel_evaluation_run(
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.EVALUATION_STOPPED)], evaluation: Name
) -> EvaluationProgressView:
    """Stop asking the models; answers stay."""
    await runs.cancel_run(by.database, evaluation)
    return await views.progress(by.database, evaluation)


@router.post("/evaluations/{evaluation}/open", responses=refusals(EvaluationNotFound, Conflict, Invalid))
async def open_evaluation(
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.EVALUATION_OPENED)],
    evaluation: Name,
    request: OpeningRequest,
) -> EvaluationProgressView:
    """Fix the answers and let people judge them."""
    await lifecycle.open_evaluation(by.database, evaluation, partial=request.partial)
    return await views.progress(by.database, evaluation)


@router.post(
    "/evaluations/{evaluation}/annotators",
    status_code=201,
    responses=refusals(EvaluationNotFound, EvaluationClosed, Invalid),
)
async def invite_annotators(
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.ANNOTATORS_INVITED)],
    evaluation: Name,
    request: InvitationRequest,
    runtime: RuntimeDep,
) -> list[InvitationView]:
    """Make links for people, each shown only once, with QR codes."""
    terms = annotator_acts.InvitationTerms(request.reviewer, request.team, request.hints, tuple(request.areas))
    links = await annotator_acts.invite(by.database, evaluation, request.number, runtime.now(), terms)
    # A hundred codes take a second and a half of processor.
    return await asyncio.to_thread(lambda: [invitation(label, secret, request.address) for label, secret in links])


@router.get(
    "/evaluations/{evaluation}/annotators",
    dependencies=[asks(OperatorRole.VIEWER)],
    responses=refusals(EvaluationNotFound),
)
async def list_annotators(evaluation: Name, database: DatabaseDep) -> list[AnnotatorStateView]:
    """List the annotators, with the number of annotations of each."""
    return await annotator_acts.states(database, evaluation)


@router.post("/evaluations/{evaluation}/close", responses=refusals(EvaluationNotFound, Conflict, EvaluationIncomplete))
async def close_evaluation(
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.EVALUATION_CLOSED)],
    evaluation: Name,
    request: ClosingRequest,
    runtime: RuntimeDep,
) -> EvaluationProgressView:
    """Close an evaluation for good, and publish its report if wanted; `incomplete` allows missing annotations.

    With `publish`, one that is closed already and has no published report gets it.
    """
    if not (request.publish and await lifecycle.is_unpublished(by.database, evaluation)):
        await lifecycle.close_evaluation(by.database, evaluation, runtime.now(), incomplete=request.incomplete)
    if request.publish:
        publication = Act(ActKind.REPORT_PUBLISHED, evaluation)
        recorded = operator_acts.recorded(runtime.database, by.operator, publication, runtime.now)
        await lifecycle.publish_report(recorded, evaluation, report_apart)
    return await views.progress(by.database, evaluation)


@router.get("/conversions", responses=refusals(QuestionSetNotFound, Invalid))
async def get_conversion_work(
    operator: Annotated[Operator, asks(OperatorRole.MODERATOR)],
    name: SetName,
    reviewer: Annotated[Reviewer, Query()],
    database: DatabaseDep,
) -> ConversionTaskView:
    """Return the next converted question of a set that this person can review."""
    if not name:
        raise Invalid(rule="question_set")
    results = await conversion_reviews.conversions_of(database, name)
    name_of_reviewer = reviewer_name(person(operator, reviewer))
    states = Counter(str(result.reviewed.state) for result in results)
    reviewable = (result for result in results if result.reviewed.state not in ENDED)
    item = next((result for result in reviewable if name_of_reviewer not in result.reviewed.confirmed_by), None)
    return ConversionTaskView(item=item and _view(item), states=states)


@router.post("/conversions/{number}/reviews", status_code=204, responses=refusals(NotFound, AlreadyReviewed))
async def review_conversion(
    by: Annotated[Acting, acts(OperatorRole.MODERATOR, ActKind.QUESTION_REVIEWED)],
    number: Number,
    review: ReviewRequest,
    runtime: RuntimeDep,
) -> None:
    """Add a person's review; three have to confirm one wording, which a person who amends it does."""
    decision = Review(person(by.operator, review.reviewer), review.verdict, review.wording, review.remark)
    await conversion_reviews.review(by.database, number, decision, runtime.now())


def _view(conversion: Conversion) -> ConversionView:
    return ConversionView(
        number=conversion.id,
        question=conversion.question.id,
        prompt=conversion.question.turns[0],
        endpoint=conversion.endpoint,
        state=conversion.reviewed.state,
        wording=conversion.reviewed.wording,
        text=conversion.text,
        confirmed_by=list(conversion.reviewed.confirmed_by),
        remarks=[review.remark for review in conversion.reviews if review.remark],
    )


def invitation(label: str, secret: str, address: str) -> InvitationView:
    """An invitation with its QR code; the secret is in the fragment of the link, which browsers do not send."""
    # Few processes need the import.
    import segno

    link = f"{address.rstrip('/')}/annotate#{secret}"
    picture = segno.make(link, error="m", micro=False).svg_data_uri(scale=4, border=4, dark="#000", light="#fff")
    return InvitationView(annotator=label, link=link, qr=picture)
