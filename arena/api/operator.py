"""Routes of the operator, which exist only where the operator has set a key for them."""

from __future__ import annotations

from hmac import compare_digest
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Request, Response

from arena import endpoints
from arena.api.bearer import UnderRules, bearer
from arena.api.deps import OnStage
from arena.api.endpoints import Number
from arena.endpoints import OPERATOR, Step
from arena.errors import BadApiKey, EndpointNotFound
from arena.store import endpoints as stored
from arena.terms import EndpointState
from arena.wire import OperatedEndpoint, StepRequest

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.battles import Stage
    from arena.health import Condition
    from arena.store.tables import EndpointRow


async def _operator(request: Request, response: Response, rules: UnderRules) -> None:
    response.headers["Cache-Control"] = "no-store"
    if not compare_digest(bearer(request).encode(), rules.operator_key.encode()):
        raise BadApiKey("This needs the key of the operator.")


router = APIRouter(prefix="/operator", tags=["operator"], dependencies=[Depends(_operator)])


async def _step(stage: OnStage, request: StepRequest | None = None) -> Step:
    return Step(OPERATOR, request.reason if request else "by the operator", stage.now())


Said = Annotated[Step, Depends(_step)]


@router.get("/endpoints")
async def every(stage: OnStage) -> list[OperatedEndpoint]:
    """All endpoints, with their breakers as this process sees them."""
    return await stage.database.read(_every, stage.now(), stage.health.condition)


@router.post("/endpoints/{endpoint_id}/approve")
async def approve(endpoint_id: Number, stage: OnStage, rules: UnderRules, step: Said) -> OperatedEndpoint:
    """Let one that has passed its probe take part."""
    await endpoints.approve(stage.database, endpoint_id, rules.demo, step)
    return await _now(stage, endpoint_id)


@router.post("/endpoints/{endpoint_id}/suspend")
async def suspend(endpoint_id: Number, stage: OnStage, step: Said) -> OperatedEndpoint:
    """Keep it out of battles until it is resumed here."""
    return await _set(stage, endpoint_id, EndpointState.SUSPENDED, step)


@router.post("/endpoints/{endpoint_id}/resume")
async def resume(endpoint_id: Number, stage: OnStage, step: Said) -> OperatedEndpoint:
    """Let it be drawn again."""
    return await _set(stage, endpoint_id, EndpointState.ACTIVE, step)


@router.post("/endpoints/{endpoint_id}/retire")
async def retire(endpoint_id: Number, stage: OnStage, step: Said) -> OperatedEndpoint:
    """Take it out for good; its votes and ratings stay."""
    return await _set(stage, endpoint_id, EndpointState.RETIRED, step)


async def _set(stage: Stage, number: int, state: EndpointState, step: Step) -> OperatedEndpoint:
    name = (await stage.database.read(_found, number)).name
    await endpoints.set_state(stage.database, name, state, step)
    return await _now(stage, number)


async def _now(stage: Stage, number: int) -> OperatedEndpoint:
    return await stage.database.read(_one, number, stage.now(), stage.health.condition(number))


def _found(session: Session, number: int) -> EndpointRow:
    row = stored.by_id(session, [number]).get(number)
    if row is None:
        raise EndpointNotFound
    return row


def _every(session: Session, now: datetime, condition: Callable[[int], Condition]) -> list[OperatedEndpoint]:
    return [_view(session, row, now, condition(row.id)) for row in stored.every(session)]


def _one(session: Session, number: int, now: datetime, condition: Condition) -> OperatedEndpoint:
    return _view(session, _found(session, number), now, condition)


def _view(session: Session, row: EndpointRow, now: datetime, condition: Condition) -> OperatedEndpoint:
    return OperatedEndpoint(**dict(endpoints.detail(session, row, now, condition)), owner=row.owner.name)
