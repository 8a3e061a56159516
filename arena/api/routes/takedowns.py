"""Routes by which the operator sees reported links and takes them down."""

from __future__ import annotations

from arena.api.contract import refusals
from arena.api.dependencies import DatabaseDep, RuntimeDep
from arena.api.routes.decisions import router
from arena.domain.errors import BattleNotFound
from arena.domain.schemas import ReportedShareView, TakedownRequest
from arena.usecases.people import takedowns


@router.get("/shares")
async def reported(database: DatabaseDep) -> list[ReportedShareView]:
    """List reported links, the most reported first."""
    return await takedowns.reported(database)


@router.post("/shares/{token}/takedown", status_code=204, responses=refusals(BattleNotFound))
async def take_down(token: str, runtime: RuntimeDep, request: TakedownRequest) -> None:
    """Withdraw a link, and refuse links to the same questions and answers from now on."""
    await takedowns.take_down(runtime.database, token, request.reason, runtime.now())
