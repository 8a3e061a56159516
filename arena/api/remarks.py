"""Routes of the remarks that may follow a vote."""

from __future__ import annotations

from fastapi import APIRouter

from arena import remarks
from arena.api.deps import Holder, OnDatabase, OnStage
from arena.wire import Remarks

router = APIRouter(prefix="/battles/{battle_id}/remarks", tags=["votes"])


@router.post("")
async def remark(battle_id: str, said: Remarks, stage: OnStage, voter: Holder) -> Remarks:
    """Say something about one or both sides."""
    return await remarks.remark(stage.database, voter, battle_id, said, stage.now())


@router.get("")
async def remarked(battle_id: str, database: OnDatabase, voter: Holder) -> Remarks:
    """What was said."""
    return await remarks.remarked(database, voter, battle_id)
