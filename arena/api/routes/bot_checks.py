"""Routes of the bot check: get a challenge, answer it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from arena.api.contract import BASE, refusals
from arena.api.dependencies import CookiesDep, Holder, RuntimeDep
from arena.api.rate_windows import BOT_CHECKS, WindowsDep
from arena.domain.errors import BotCheckInvalid, BotCheckSpent, RateLimited
from arena.domain.schemas import BotCheckRequest, BotCheckView
from arena.usecases.people import bot_checks
from arena.usecases.people.bot_checks import Checking

router = APIRouter(prefix=f"{BASE}/bot-check", tags=["bot check"])


async def _checking(request: Request) -> Checking:
    return request.app.state.checking


CheckingDep = Annotated[Checking, Depends(_checking)]


@router.get("", responses=refusals(RateLimited))
async def look(
    request: Request,
    response: Response,
    runtime: RuntimeDep,
    cookies: CookiesDep,
    checking: CheckingDep,
    windows: WindowsDep,
) -> BotCheckView:
    """Return today's verdict of this voter and, unless it is a pass, a challenge to solve."""
    response.headers["Cache-Control"] = "no-store"
    voter = cookies.voter(request)
    if voter:
        await windows.limits.count(BOT_CHECKS, voter.address)
    return await bot_checks.look(runtime.database, checking, voter, runtime.now())


@router.post("", responses=refusals(BotCheckInvalid, BotCheckSpent))
async def answer(request: BotCheckRequest, runtime: RuntimeDep, voter: Holder, checking: CheckingDep) -> BotCheckView:
    """Hand in a solved challenge; each can be handed in once."""
    return await bot_checks.answer(runtime.database, checking, voter, request.payload, runtime.now())
