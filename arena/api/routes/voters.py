"""Routes of a voter on this device: history, personal board, deletion, and the bot check."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from arena.adapters.store import voters as stored
from arena.api.contract import BASE, refusals
from arena.api.dependencies import CookiesDep, DatabaseDep, Holder, NoStore, RuntimeDep, WindowsDep
from arena.domain.errors import BattleNotFound, BotCheckInvalid, BotCheckSpent, RateLimited
from arena.domain.schemas.voters import BotCheckRequest, BotCheckView, MyBattlesView, MyBoardView, MyChatsView
from arena.usecases.people import bot_checks, voters
from arena.usecases.people.bot_checks import Checking

router = APIRouter(prefix=BASE)


async def _checking(request: Request) -> Checking:
    return request.app.state.checking


CheckingDep = Annotated[Checking, Depends(_checking)]


@router.get("/me/battles", tags=["me"], dependencies=[NoStore], responses=refusals(BattleNotFound))
async def list_my_battles(
    database: DatabaseDep,
    voter: Holder,
    before: str | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> MyBattlesView:
    """List the voter's battles, newest first; `before` is the `next` of the previous page."""
    return await voters.history(database, voter, before=before, limit=limit)


@router.get("/me/chats", tags=["me"], dependencies=[NoStore])
async def list_my_chats(
    database: DatabaseDep, voter: Holder, limit: Annotated[int, Query(ge=1, le=100)] = 50
) -> MyChatsView:
    """List the voter's chats with chosen models, newest first."""
    return MyChatsView(chats=await database.read(stored.chats, voter.key, limit))


@router.get("/me/board", tags=["me"], dependencies=[NoStore])
async def get_my_board(database: DatabaseDep, voter: Holder) -> MyBoardView:
    """Return the results of models in the voter's own counted votes."""
    return await voters.board(database, voter)


@router.delete("/me", tags=["me"], status_code=204)
async def forget_voter(request: Request, response: Response, runtime: RuntimeDep, cookies: CookiesDep) -> None:
    """Detach battles from their voter and delete the cookie; votes stay under their key.

    That of a member is made from the account, and is the same after signing in again; any other one is untraceable.
    """
    if voter := cookies.voter(request):
        await voters.forget(runtime.database, voter, runtime.new_id)
    cookies.farewell(response)


@router.get("/bot-check", tags=["bot check"], dependencies=[NoStore], responses=refusals(RateLimited))
async def get_bot_check(
    request: Request, runtime: RuntimeDep, cookies: CookiesDep, checking: CheckingDep, windows: WindowsDep
) -> BotCheckView:
    """Return today's verdict of this voter and, unless it is a pass, a challenge to solve."""
    voter = cookies.voter(request)
    if voter:
        await windows.limits.count(windows.bot_checks, voter.address)
    return await bot_checks.look(runtime.database, checking, voter, runtime.now())


@router.post("/bot-check", tags=["bot check"], responses=refusals(BotCheckInvalid, BotCheckSpent))
async def answer_bot_check(
    request: BotCheckRequest, runtime: RuntimeDep, voter: Holder, checking: CheckingDep
) -> BotCheckView:
    """Hand in a solved challenge; each can be handed in once."""
    return await bot_checks.answer(runtime.database, checking, voter, request.payload, runtime.now())
