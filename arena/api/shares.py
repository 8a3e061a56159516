"""Routes of share links: make one, withdraw it, look behind it."""

from __future__ import annotations

from fastapi import APIRouter, Response

from arena import shares
from arena.api.deps import Holder, OnDatabase, OnStage
from arena.wire import SharedView, ShareView

router = APIRouter(tags=["shares"])


@router.post("/battles/{battle_id}/share")
async def share(battle_id: str, stage: OnStage, voter: Holder) -> ShareView:
    """Make the link of a voted battle, or give the one it has."""
    return await shares.share(stage.database, voter, battle_id, stage.new_id(), stage.now())


@router.delete("/battles/{battle_id}/share", status_code=204)
async def withdraw(battle_id: str, database: OnDatabase, voter: Holder) -> None:
    """Take the link back."""
    await shares.withdraw(database, voter, battle_id)


@router.get("/shared/{token}")
async def shared(token: str, database: OnDatabase, response: Response) -> SharedView:
    """The battle behind a link."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return await shares.shared(database, token)
