"""Routes of operators, each with the role it needs and the act it records; without operators there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends

from arena.adapters.store import endpoint_states
from arena.adapters.store import endpoints as stored
from arena.api.contract import BASE, refusals
from arena.api.dependencies import NoStore, RuntimeDep
from arena.api.operators import Acting, acts, asks
from arena.api.routes.endpoints import Number
from arena.domain.errors import (
    AliasUncounts,
    ChangedMeanwhile,
    EndpointNotFound,
    Invalid,
    ModelNotFound,
    NothingPending,
    RateLimited,
    ResultsStay,
    RoleRequired,
    UnlistedLimit,
    WrongState,
)
from arena.domain.operators import ActKind, OperatorRole
from arena.domain.schemas.endpoints import (
    AbilitiesRequest,
    OperatedEndpointView,
    OperatedSummaryView,
    StepRequest,
    UseRequest,
)
from arena.domain.schemas.status import LogView, LoopView, NeighbourhoodsView
from arena.domain.terms import EndpointState, Use
from arena.usecases.endpoints import approval, definition, same_weights, states, uses, views
from arena.usecases.endpoints.operated_list import summaries
from arena.usecases.endpoints.states import Step
from arena.usecases.people import oversight
from arena.usecases.transparency import log_status
from arena.usecases.votes import neighbourhoods

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.breaker import Condition
    from arena.adapters.store.tables.endpoints import EndpointRow
    from arena.calls.targets import Keys
    from arena.usecases.battles.runtime import Runtime


router = APIRouter(
    prefix=f"{BASE}/operator",
    tags=["operator"],
    dependencies=[NoStore],
    responses=refusals(RateLimited, RoleRequired),
)
DECIDING = refusals(
    EndpointNotFound, WrongState, ChangedMeanwhile, NothingPending, AliasUncounts, ResultsStay, UnlistedLimit
)
"""Errors of the operator's decisions about owners' requests."""


def _step(code: str) -> Callable[..., Awaitable[Step]]:
    """Make a dependency that reads the reason of a step, by default the standard reason of this code."""

    async def step(runtime: RuntimeDep, request: StepRequest | None = None) -> Step:
        return states.operator_step(code, request.reason if request else None, runtime.now())

    return step


async def _revision(request: StepRequest | None = None) -> int | None:
    return request.revision if request else None


def _act(kind: ActKind) -> Any:  # noqa: ANN401 - as FastAPI types it
    """Make a dependency that records an act on the endpoint of the path, by its name."""
    acting = acts(OperatorRole.OPERATOR, kind)  # a default, since annotations are evaluated where `kind` is not defined

    async def act(endpoint_id: Number, by: Acting = acting) -> Acting:
        by.on((await by.database.read(_endpoint_row, endpoint_id)).name)
        return by

    return Depends(act)


ApproveAct = Annotated[Acting, _act(ActKind.ENDPOINT_APPROVED)]
ApproveChangesAct = Annotated[Acting, _act(ActKind.CHANGES_APPROVED)]
RefuseChangesAct = Annotated[Acting, _act(ActKind.CHANGES_REFUSED)]
ChangeAct = Annotated[Acting, _act(ActKind.ENDPOINT_CHANGED)]
PauseAct = Annotated[Acting, _act(ActKind.ENDPOINT_PAUSED)]
SuspendAct = Annotated[Acting, _act(ActKind.ENDPOINT_SUSPENDED)]
ResumeAct = Annotated[Acting, _act(ActKind.ENDPOINT_RESUMED)]
RetireAct = Annotated[Acting, _act(ActKind.ENDPOINT_RETIRED)]
StepDep = Annotated[Step, Depends(_step("by_operator"))]
ApprovalDep = Annotated[Step, Depends(_step("changes_approved"))]
RefusalDep = Annotated[Step, Depends(_step("changes_refused"))]
RevisionDep = Annotated[int | None, Depends(_revision)]


@router.get("/endpoints", dependencies=[asks(OperatorRole.VIEWER)])
async def list_endpoints(runtime: RuntimeDep) -> list[OperatedSummaryView]:
    """List all endpoints, with the states of their breakers in this process, and published figures of battles."""
    read, condition = runtime.database.read, runtime.breakers.condition
    return await read(summaries, runtime.now(), condition, runtime.vote_counts, runtime.keys)


@router.get("/neighbourhoods", dependencies=[asks(OperatorRole.VIEWER)])
async def list_neighbourhoods(runtime: RuntimeDep) -> NeighbourhoodsView:
    """Return today's figures of neighbourhoods, and whether one of them has most of the votes."""
    return await neighbourhoods.today(runtime.database, runtime.bounds.alarm_votes, runtime.now())


@router.get("/log", dependencies=[asks(OperatorRole.VIEWER)])
async def get_log_state(runtime: RuntimeDep) -> LogView:
    """Return the state of the transparency log: its size, votes that wait for it, and votes without a leaf."""
    return await log_status.status(runtime.database, runtime.now())


@router.get("/loops", dependencies=[asks(OperatorRole.VIEWER)])
async def list_loops(runtime: RuntimeDep) -> list[LoopView]:
    """List the loops of background work: when each last succeeded, when it last had work, and why it fails."""
    return await oversight.loops(runtime.database, runtime.now())


@router.post("/endpoints/{endpoint_id}/approve", responses=DECIDING)
async def approve_endpoint(
    endpoint_id: Number, by: ApproveAct, runtime: RuntimeDep, step: StepDep, revision: RevisionDep
) -> OperatedEndpointView:
    """Approve an endpoint that has passed its probe; its earlier version retires."""
    await approval.approve(by.database, endpoint_id, step, revision)
    return await _load(runtime, endpoint_id)


@router.post("/endpoints/{endpoint_id}/changes/approve", responses=DECIDING)
async def approve_endpoint_changes(
    endpoint_id: Number, by: ApproveChangesAct, runtime: RuntimeDep, step: ApprovalDep, revision: RevisionDep
) -> OperatedEndpointView:
    """Approve the pending changes of an endpoint."""
    await approval.approve_changes(by.database, endpoint_id, step, revision)
    return await _load(runtime, endpoint_id)


@router.post("/endpoints/{endpoint_id}/changes/refuse", responses=DECIDING)
async def refuse_endpoint_changes(
    endpoint_id: Number, by: RefuseChangesAct, runtime: RuntimeDep, step: RefusalDep, revision: RevisionDep
) -> OperatedEndpointView:
    """Refuse the pending changes of an endpoint."""
    await approval.refuse_changes(by.database, endpoint_id, step, revision)
    return await _load(runtime, endpoint_id)


@router.patch("/endpoints/{endpoint_id}", responses=refusals(EndpointNotFound, ChangedMeanwhile, Invalid))
async def change_operated_endpoint(
    endpoint_id: Number, by: ChangeAct, runtime: RuntimeDep, request: AbilitiesRequest
) -> OperatedEndpointView:
    """Set the languages that an endpoint can answer, and whether it sees images."""
    by.changed(**request.abilities)
    step = states.operator_step("changed", request.reason, runtime.now(), fields=list(request.abilities))
    await approval.set_abilities(by.database, endpoint_id, request, step)
    return await _load(runtime, endpoint_id)


@router.put("/endpoints/{endpoint_id}/uses/{use}", status_code=204, responses=refusals(EndpointNotFound, WrongState))
async def set_operated_use(
    endpoint_id: Number, use: Use, by: Annotated[Acting, _act(ActKind.ENDPOINT_CHANGED)], request: UseRequest
) -> None:
    """Allow or forbid a use of an endpoint beyond battles; an owner who pays for the calls alone can allow it."""
    by.changed(**{use: request.allowed}, **({"daily_calls": request.daily_calls} if request.daily_calls else {}))
    await uses.decide_use(by.database, endpoint_id, use, request)


@router.put(
    "/endpoints/{endpoint_id}/same-as/{name:path}",
    status_code=204,
    responses=refusals(EndpointNotFound, ModelNotFound, WrongState, Invalid),
)
async def confirm_same_weights(endpoint_id: Number, name: str, by: ChangeAct, runtime: RuntimeDep) -> None:
    """Confirm that an endpoint serves the same weights as another model; each of their owners can take it back."""
    by.changed(same_as=name)
    await same_weights.confirm_same(by.database, endpoint_id, name, runtime.now())


@router.delete(
    "/endpoints/{endpoint_id}/same-as/{name:path}",
    status_code=204,
    responses=refusals(EndpointNotFound, ModelNotFound),
)
async def refuse_same_weights(endpoint_id: Number, name: str, by: ChangeAct) -> None:
    """Delete what an owner has stated of the two, or an operator confirmed."""
    by.changed(not_same_as=name)
    await same_weights.refuse_same(by.database, endpoint_id, name)


@router.post("/endpoints/{endpoint_id}/pause", responses=refusals(EndpointNotFound, WrongState))
async def pause_operated_endpoint(
    endpoint_id: Number, by: PauseAct, runtime: RuntimeDep, step: StepDep
) -> OperatedEndpointView:
    """Keep an endpoint out of new battles; its owner may resume it."""
    return await _set_state(by, runtime, endpoint_id, EndpointState.PAUSED, step)


@router.post("/endpoints/{endpoint_id}/suspend", responses=refusals(EndpointNotFound, WrongState))
async def suspend_endpoint(
    endpoint_id: Number, by: SuspendAct, runtime: RuntimeDep, step: StepDep
) -> OperatedEndpointView:
    """Suspend an endpoint until the operator resumes it."""
    return await _set_state(by, runtime, endpoint_id, EndpointState.SUSPENDED, step)


@router.post("/endpoints/{endpoint_id}/resume", responses=refusals(EndpointNotFound, WrongState))
async def resume_operated_endpoint(
    endpoint_id: Number, by: ResumeAct, runtime: RuntimeDep, step: StepDep
) -> OperatedEndpointView:
    """Resume an endpoint, unless it is only the setting for practice models or a missing key that pauses it."""
    return await _set_state(by, runtime, endpoint_id, EndpointState.ACTIVE, step)


@router.post("/endpoints/{endpoint_id}/retire", responses=refusals(EndpointNotFound, WrongState))
async def retire_operated_endpoint(
    endpoint_id: Number, by: RetireAct, runtime: RuntimeDep, step: StepDep
) -> OperatedEndpointView:
    """Retire an endpoint; its votes and ratings stay."""
    return await _set_state(by, runtime, endpoint_id, EndpointState.RETIRED, step)


async def _set_state(
    by: Acting, runtime: Runtime, number: int, state: EndpointState, step: Step
) -> OperatedEndpointView:
    keyless = await runtime.database.read(runtime.keys.lost)
    await states.set_state(by.database, by.act.target, state, step, keyless, must_change=True)
    return await _load(runtime, number)


async def _load(runtime: Runtime, number: int) -> OperatedEndpointView:
    condition = runtime.breakers.condition(number)
    return await runtime.database.read(_endpoint, number, runtime.now(), condition, runtime.keys)


def _endpoint_row(session: Session, number: int) -> EndpointRow:
    row = stored.by_id(session, [number]).get(number)
    if row is None:
        raise EndpointNotFound
    return row


def _endpoint(session: Session, number: int, now: datetime, condition: Condition, keys: Keys) -> OperatedEndpointView:
    return _view(session, _endpoint_row(session, number), now, condition, keys.lost(session))


def _share_in_others(session: Session, row: EndpointRow) -> float | None:
    if row.state is not EndpointState.PENDING and not row.pending:
        return None
    count, answers = definition.count_in_others(session, row, (row.pending or {}).get("aliases", row.aliases))
    return count / answers if answers else None


def _view(
    session: Session, row: EndpointRow, now: datetime, condition: Condition, keyless: Collection[int]
) -> OperatedEndpointView:
    return OperatedEndpointView(
        **dict(views.detail(session, row, now, condition, keyless, live=True)),
        owner=row.owner.name,
        revision=endpoint_states.revision(session, row.id),
        warnings=definition.warnings(row),
        share_in_others=_share_in_others(session, row),
        remarks=views.remarks(endpoint_states.newest_probe(session, row.id)),
    )
