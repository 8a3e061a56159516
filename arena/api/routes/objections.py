"""Routes by which owners see what the vote gate does to their endpoint, and object."""

from __future__ import annotations

from fastapi import APIRouter

from arena.api.contract import BASE, refusals
from arena.api.dependencies import DatabaseDep
from arena.api.routes.endpoints import Acting, Number
from arena.domain.errors import EndpointNotFound, ObjectionOpen
from arena.domain.schemas import GateEffectView, ObjectionView, TextRequest
from arena.usecases.votes import decisions

router = APIRouter(prefix=f"{BASE}/endpoints/{{endpoint_id}}", tags=["endpoints"])


@router.get("/gate", responses=refusals(EndpointNotFound))
async def effect(by: Acting, endpoint_id: Number, database: DatabaseDep) -> GateEffectView:
    """Return the endpoint's rating with and without the vote gate, and the objections to it."""
    return await database.read(decisions.effect, endpoint_id, by.owner)


@router.post("/objections", status_code=201, responses=refusals(EndpointNotFound, ObjectionOpen))
async def object_to(by: Acting, endpoint_id: Number, database: DatabaseDep, request: TextRequest) -> ObjectionView:
    """Object to the decisions that touch the endpoint; the operator answers."""
    return await database.write(decisions.object_to, endpoint_id, by.owner, request.text, by.now)
