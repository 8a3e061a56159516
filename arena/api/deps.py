"""What routes are given: the stage, the board and the voter.

All of it is `async` although nothing waits: the framework would send anything else through a thread, for each request.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header, Request, Response

from arena.api.address import network
from arena.api.board import Board
from arena.api.voter import Cookies
from arena.battles import Stage
from arena.errors import Invalid
from arena.store.engine import Database
from arena.terms import Voter


def nobody(request: Request) -> Voter:
    """Somebody without a cookie: owns no battle, so every id looks unknown; has the limits of an address."""
    address = network(request.client.host) if request.client else ""
    return Voter(key=f"nobody at {address}", address=address)


async def _stage(request: Request) -> Stage:
    return request.app.state.stage


async def _database(request: Request) -> Database:
    return request.app.state.stage.database


async def _board(request: Request) -> Board:
    return request.app.state.board


async def _cookies(request: Request) -> Cookies:
    return request.app.state.cookies


async def _newcomer(request: Request, response: Response) -> Voter:
    cookies: Cookies = request.app.state.cookies
    return cookies.welcome(request, response)


async def _holder(request: Request) -> Voter:
    cookies: Cookies = request.app.state.cookies
    return cookies.voter(request) or nobody(request)


async def _idempotency_key(idempotency_key: Annotated[str | None, Header()] = None) -> str | None:
    if idempotency_key is None:
        return None
    if not idempotency_key.isascii() or not idempotency_key.isprintable() or not 1 <= len(idempotency_key) <= 255:  # noqa: PLR2004
        raise Invalid("An Idempotency-Key has 1 to 255 printable ASCII characters.")
    return idempotency_key


OnStage = Annotated[Stage, Depends(_stage)]
OnDatabase = Annotated[Database, Depends(_database)]
OnBoard = Annotated[Board, Depends(_board)]
OnCookies = Annotated[Cookies, Depends(_cookies)]
Newcomer = Annotated[Voter, Depends(_newcomer)]
"""The voter; somebody new gets a cookie."""
Holder = Annotated[Voter, Depends(_holder)]
"""The voter of the cookie, or nobody."""
IdempotencyKey = Annotated[str | None, Depends(_idempotency_key)]
