"""Routes of share links: create, withdraw, read."""

from __future__ import annotations

from fastapi import APIRouter, Response

from arena.api.contract import BASE, refusals
from arena.api.dependencies import DatabaseDep, Holder, RuntimeDep
from arena.domain.errors import BattleNotFound, NotVoted, ShareBlocked
from arena.domain.schemas import ReportRequest, SharedView, ShareView
from arena.usecases.people import takedowns
from arena.usecases.votes import shares

router = APIRouter(prefix=BASE, tags=["shares"])


@router.post("/battles/{battle_id}/share", responses=refusals(BattleNotFound, NotVoted, ShareBlocked))
async def share(battle_id: str, runtime: RuntimeDep, voter: Holder) -> ShareView:
    """Create the link of a voted battle, or return the existing one."""
    return await shares.share(runtime.database, voter, battle_id, runtime.new_id(), runtime.now())


@router.delete("/battles/{battle_id}/share", status_code=204, responses=refusals(BattleNotFound))
async def withdraw(battle_id: str, database: DatabaseDep, voter: Holder) -> None:
    """Withdraw the link."""
    await shares.withdraw(database, voter, battle_id)


@router.get("/shared/{token}", responses=refusals(BattleNotFound))
async def shared(token: str, database: DatabaseDep, response: Response) -> SharedView:
    """The battle of a link."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return await shares.shared(database, token)


@router.post("/shared/{token}/report", status_code=204, responses=refusals(BattleNotFound))
async def report(token: str, runtime: RuntimeDep, request: ReportRequest) -> None:
    """Tell the operator that a shared battle should not be public."""
    await takedowns.report(runtime.database, token, request.reason, runtime.now())
