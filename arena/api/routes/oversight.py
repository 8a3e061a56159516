"""The operator's routes of oversight: decisions of the vote gate, objections, reported links, and labels by people."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Path, Query

from arena.api.contract import refusals
from arena.api.dependencies import DatabaseDep, RuntimeDep
from arena.api.operators import Acting, acts, asks, reader
from arena.api.routes.operator import router
from arena.domain.errors import AlreadyAnnotated, AlreadyAnswered, BattleNotFound, NoDecision, NoObjection, NotFound
from arena.domain.operators import ActKind, Operator, OperatorRole
from arena.domain.schemas.integrity import DecisionView, ObjectionView, TextRequest, VotersView
from arena.domain.schemas.labels import LabelReadingRequest, LabelTaskView, Pass, Reader, SetName
from arena.domain.schemas.shares import ReportedShareView, TakedownRequest
from arena.usecases.labelling import samples
from arena.usecases.people import takedowns
from arena.usecases.votes import decisions

_LARGEST: Final = 2**53
Number = Annotated[int, Path(ge=1, le=_LARGEST)]


@router.get("/decisions", dependencies=[asks(OperatorRole.VIEWER)])
async def list_operated_gate_decisions(
    database: DatabaseDep, reason: Annotated[str | None, Query(max_length=32, pattern="^[a-z-]+$")] = None
) -> list[DecisionView]:
    """List the newest decisions, of one reason if it is given, with the findings that led to them."""
    return await database.read(decisions.latest, reason)


@router.post("/decisions/{decision}/confirm", responses=refusals(NoDecision))
async def confirm_gate_decision(
    decision: Number,
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.DECISION_CONFIRMED)],
    runtime: RuntimeDep,
) -> DecisionView:
    """Keep the weight of a decision's votes whatever the gate finds later."""
    return await by.database.write(decisions.confirm, decision, runtime.now())


@router.post("/decisions/{decision}/undo", responses=refusals(NoDecision))
async def undo_gate_decision(
    decision: Number, by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.DECISION_UNDONE)], runtime: RuntimeDep
) -> DecisionView:
    """Give a decision's votes their full weight whatever the gate finds later."""
    return await by.database.write(decisions.undo, decision, runtime.now())


@router.get("/voters", dependencies=[asks(OperatorRole.VIEWER)])
async def list_doubtful_voters(database: DatabaseDep) -> VotersView:
    """List voters whose newest votes are improbable or for one side; it is advice, and nothing follows from it."""
    return await database.read(decisions.doubtful_voters)


@router.get("/objections", dependencies=[asks(OperatorRole.VIEWER)])
async def list_objections(database: DatabaseDep) -> list[ObjectionView]:
    """List owners' objections, those without an answer first."""
    return await database.read(decisions.objections)


@router.post("/objections/{objection}/answer", responses=refusals(NoObjection, AlreadyAnswered))
async def answer_objection(
    objection: Number,
    by: Annotated[Acting, acts(OperatorRole.MODERATOR, ActKind.OBJECTION_ANSWERED)],
    runtime: RuntimeDep,
    request: TextRequest,
) -> ObjectionView:
    """Answer an objection, once."""
    return await by.database.write(decisions.answer, objection, request.text, runtime.now())


@router.get("/shares", dependencies=[asks(OperatorRole.VIEWER)])
async def list_reported_shares(database: DatabaseDep) -> list[ReportedShareView]:
    """List reported links, the most reported first."""
    return await takedowns.reported(database)


@router.post("/shares/{token}/takedown", status_code=204, responses=refusals(BattleNotFound))
async def take_down_share(
    token: str,
    by: Annotated[Acting, acts(OperatorRole.MODERATOR, ActKind.SHARE_TAKEN_DOWN)],
    runtime: RuntimeDep,
    request: TakedownRequest,
) -> None:
    """Withdraw a link, and refuse links to the same questions and answers from now on."""
    await takedowns.take_down(by.database, token, request.reason, runtime.now())


@router.get("/labels")
async def get_label_work(
    operator: Annotated[Operator, asks(OperatorRole.MODERATOR)],
    runtime: RuntimeDep,
    label_set: Annotated[SetName, Query(alias="set")],
    name: Annotated[Reader, Query(alias="reader")],
    reading: Annotated[Pass, Query()] = 1,
) -> LabelTaskView:
    """Return the next conversation of the sample that this reader has not read in this reading."""
    return await samples.work(runtime.database, label_set, reader(operator, name), reading)


@router.post("/labels", status_code=204, responses=refusals(NotFound, AlreadyAnnotated))
async def submit_labels(
    by: Annotated[Acting, acts(OperatorRole.MODERATOR, ActKind.CONVERSATION_LABELLED)],
    runtime: RuntimeDep,
    request: LabelReadingRequest,
) -> None:
    """Store a reader's labels of a conversation, which never change."""
    by.on(f"{request.set} {request.number}")
    entry = request.model_copy(update={"reader": reader(by.operator, request.reader)})
    await samples.read(by.database, entry, runtime.now())
