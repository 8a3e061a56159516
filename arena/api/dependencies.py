"""Dependencies of routes: runtime, database, board and voter.

All are `async` although they do not wait: FastAPI runs other functions in a thread, for each request.
"""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Depends, Header, Request, Response

from arena.adapters.store.engine import Database
from arena.api.boards.cache import Board
from arena.api.client_address import network
from arena.api.voter_cookie import Cookies
from arena.domain.errors import Invalid
from arena.domain.terms import Voter
from arena.usecases.battles import Runtime

KEY_LIMIT: Final = 255
"""Longest idempotency key in characters."""


def nobody(request: Request) -> Voter:
    """Return the voter of requests without a cookie, who owns no battles and shares the limits of the address."""
    address = network(request.client.host) if request.client else ""
    return Voter(key=f"nobody at {address}", address=address)


async def _runtime(request: Request) -> Runtime:
    return request.app.state.runtime


async def _database(request: Request) -> Database:
    return request.app.state.runtime.database


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


def checked_key(key: str | None) -> str | None:
    """Return an Idempotency-Key as it is.

    Raises:
        Invalid: It is empty, too long, or not printable ASCII.
    """
    if key is not None and (not key.isascii() or not key.isprintable() or not 1 <= len(key) <= KEY_LIMIT):
        raise Invalid(rule="idempotency_key", limit=KEY_LIMIT)
    return key


async def _idempotency_key(idempotency_key: Annotated[str | None, Header()] = None) -> str | None:
    return checked_key(idempotency_key)


RuntimeDep = Annotated[Runtime, Depends(_runtime)]
DatabaseDep = Annotated[Database, Depends(_database)]
BoardDep = Annotated[Board, Depends(_board)]
CookiesDep = Annotated[Cookies, Depends(_cookies)]
Newcomer = Annotated[Voter, Depends(_newcomer)]
"""The voter; a new one gets a cookie."""
Holder = Annotated[Voter, Depends(_holder)]
"""The voter of the cookie, or `nobody`."""
IdempotencyKey = Annotated[str | None, Depends(_idempotency_key)]
