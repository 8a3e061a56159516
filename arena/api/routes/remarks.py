"""Routes of remarks on a voted battle."""

from __future__ import annotations

from fastapi import APIRouter

from arena.api.contract import BASE, refusals
from arena.api.dependencies import DatabaseDep, Holder, RuntimeDep
from arena.domain.errors import AlreadyRemarked, BattleNotFound, NotVoted
from arena.domain.schemas import RemarksView
from arena.usecases.votes import remarks

router = APIRouter(prefix=f"{BASE}/battles/{{battle_id}}/remarks", tags=["votes"])


@router.post("", responses=refusals(BattleNotFound, NotVoted, AlreadyRemarked))
async def remark(battle_id: str, said: RemarksView, runtime: RuntimeDep, voter: Holder) -> RemarksView:
    """Add remarks on one or both sides."""
    return await remarks.remark(runtime.database, voter, battle_id, said, runtime.now())


@router.get("", responses=refusals(BattleNotFound, NotVoted))
async def remarked(battle_id: str, database: DatabaseDep, voter: Holder) -> RemarksView:
    """The stored remarks."""
    return await remarks.remarked(database, voter, battle_id)
