"""Routes of what is the voter's own on this device: history, personal board, being forgotten."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from arena import voters
from arena.api.deps import Holder, OnCookies, OnDatabase, OnStage
from arena.store import voters as stored
from arena.wire import MyBattles, MyBoard, MyChats

router = APIRouter(prefix="/me", tags=["me"])


async def _unkept(response: Response) -> None:
    response.headers["Cache-Control"] = "no-store"


@router.get("/battles", dependencies=[Depends(_unkept)])
async def history(
    database: OnDatabase,
    voter: Holder,
    before: str | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> MyBattles:
    """The voter's battles, newest first; `before` is the `next` of the page in front."""
    return await voters.history(database, voter, before=before, limit=limit)


@router.get("/chats", dependencies=[Depends(_unkept)])
async def chats(database: OnDatabase, voter: Holder, limit: Annotated[int, Query(ge=1, le=100)] = 50) -> MyChats:
    """The voter's chats with chosen models, newest first."""
    return MyChats(chats=await database.read(stored.chats, voter.key, limit))


@router.get("/board", dependencies=[Depends(_unkept)])
async def board(database: OnDatabase, voter: Holder) -> MyBoard:
    """How the models did in the voter's own counted votes."""
    return await voters.board(database, voter)


@router.delete("", status_code=204)
async def forget(request: Request, response: Response, stage: OnStage, cookies: OnCookies) -> None:
    """Untie this device's battles from it and drop the cookie; votes stay under a key that nobody can trace."""
    if voter := cookies.voter(request):
        await voters.forget(stage.database, voter, stage.new_id)
    cookies.farewell(response)
