"""Routes of the voter's own data on this device: history, personal board, and its deletion."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from arena.adapters.store import voters as stored
from arena.api.contract import BASE, refusals
from arena.api.dependencies import CookiesDep, DatabaseDep, Holder, RuntimeDep
from arena.domain.errors import BattleNotFound
from arena.domain.schemas import MyBattlesView, MyBoardView, MyChatsView
from arena.usecases.people import voters

router = APIRouter(prefix=f"{BASE}/me", tags=["me"])


async def _unkept(response: Response) -> None:
    response.headers["Cache-Control"] = "no-store"


@router.get("/battles", dependencies=[Depends(_unkept)], responses=refusals(BattleNotFound))
async def history(
    database: DatabaseDep,
    voter: Holder,
    before: str | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> MyBattlesView:
    """List the voter's battles, newest first; `before` is the `next` of the previous page."""
    return await voters.history(database, voter, before=before, limit=limit)


@router.get("/chats", dependencies=[Depends(_unkept)])
async def chats(database: DatabaseDep, voter: Holder, limit: Annotated[int, Query(ge=1, le=100)] = 50) -> MyChatsView:
    """List the voter's chats with chosen models, newest first."""
    return MyChatsView(chats=await database.read(stored.chats, voter.key, limit))


@router.get("/board", dependencies=[Depends(_unkept)])
async def board(database: DatabaseDep, voter: Holder) -> MyBoardView:
    """Return the results of models in the voter's own counted votes."""
    return await voters.board(database, voter)


@router.delete("", status_code=204)
async def forget(request: Request, response: Response, runtime: RuntimeDep, cookies: CookiesDep) -> None:
    """Detach battles and votes from this device and delete the cookie; votes stay under an untraceable key."""
    if voter := cookies.voter(request):
        await voters.forget(runtime.database, voter, runtime.new_id)
    cookies.farewell(response)
