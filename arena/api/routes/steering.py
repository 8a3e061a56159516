"""Routes by which operators see who they are, what was done, and close or open parts of the service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query

from arena.adapters.breaker import Breaker
from arena.api.contract import CsvResponse, refusals
from arena.api.dependencies import DatabaseDep, RuntimeDep
from arena.api.operators import Acting, acts, asks
from arena.api.routes.operator import router as operator
from arena.domain.errors import Conflict
from arena.domain.operators import ActKind, Operator, OperatorRole
from arena.domain.schemas.operators import ActView, FiguresView, OperatorView, PartRequest, PartView
from arena.domain.terms import Part
from arena.usecases.people import oversight

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.usecases.battles.runtime import Runtime

router = APIRouter(
    prefix=operator.prefix, tags=operator.tags, dependencies=operator.dependencies, responses=operator.responses
)


@router.get("/me")
async def get_operator(person: Annotated[Operator, asks(OperatorRole.VIEWER)]) -> OperatorView:
    """Return who asks, and in which role."""
    return OperatorView.model_validate(person)


@router.get("/acts", dependencies=[asks(OperatorRole.VIEWER)])
async def list_acts(
    database: DatabaseDep,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 50,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> list[ActView]:
    """List acts of operators, newest first; `before` is the number of the last one that was read."""
    return await database.read(oversight.acts, limit, before)


@router.get("/acts.csv", dependencies=[asks(OperatorRole.VIEWER)], response_class=CsvResponse)
async def export_acts(database: DatabaseDep) -> CsvResponse:
    """Export all acts of operators."""
    return CsvResponse(oversight.acts_csv(await database.read(oversight.acts)), headers={"Cache-Control": "no-store"})


@router.get("/figures", dependencies=[asks(OperatorRole.VIEWER)])
async def get_figures(runtime: RuntimeDep) -> FiguresView:
    """Return battles and votes of this day (UTC), endpoints that fail or lack a key, and what waits for an operator."""
    return await oversight.figures(runtime.database, runtime.now(), runtime.keys, _failing(runtime))


@router.get("/parts", dependencies=[asks(OperatorRole.VIEWER)])
async def list_parts(database: DatabaseDep) -> list[PartView]:
    """List the parts of the service, and whether each is closed."""
    return await database.read(oversight.parts)


@router.put("/parts/{part}/closed", responses=refusals(Conflict))
async def close_part(
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.PART_CLOSED)],
    part: Part,
    request: PartRequest,
    runtime: RuntimeDep,
) -> PartView:
    """Close a part of the service in all processes: new requests are told so, running ones end."""
    return await oversight.switch(by.database, part, request.reason, runtime.now(), closed=True)


@router.delete("/parts/{part}/closed", responses=refusals(Conflict))
async def reopen_part(
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.PART_OPENED)], part: Part, runtime: RuntimeDep
) -> PartView:
    """Open a part of the service again."""
    return await oversight.switch(by.database, part, "", runtime.now(), closed=False)


def _failing(runtime: Runtime) -> Callable[[int], bool]:
    return lambda number: runtime.breakers.condition(number).breaker is not Breaker.CLOSED
