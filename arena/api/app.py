"""The application: routes under /api/v1, guarded, on a stage that the caller has built."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING

from fastapi import APIRouter, FastAPI, Request, Response
from starlette.routing import Match

from arena.api import (
    battles,
    chats,
    endpoints,
    health,
    leaderboard,
    me,
    models,
    operator,
    owners,
    problems,
    remarks,
    shares,
    votelog,
    votes,
)
from arena.api.address import ClientAddress
from arena.api.board import Board
from arena.api.elsewhere import Elsewhere
from arena.api.guard import Guard
from arena.api.outside import Outside
from arena.api.trace import Trace
from arena.api.windows import Windows
from arena.battles import revive, tell_breakers
from arena.client import Relay
from arena.endpoints.rules import OwnerRules
from arena.errors import MethodNotAllowed, NotFound
from arena.language import detect

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from starlette.routing import BaseRoute

    from arena.api.voter import Cookies
    from arena.battles import Stage

BODY_LIMIT = 65_536
NOBODY_ASKED = OwnerRules()
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]


def create_app(
    stage: Stage, cookies: Cookies, *, rules: OwnerRules = NOBODY_ASKED, body_limit: int = BODY_LIMIT, hops: int = 0
) -> FastAPI:
    """Build the door to `stage`; starting it begins to watch, stopping it ends what still runs.

    `hops` is how many proxies of the operator's stand in front; the last so many forwarded addresses are believed.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        lasting = (app.state.board.watch(), revive(stage), tell_breakers(stage))
        watching = [asyncio.create_task(work) for work in lasting]
        warming = asyncio.create_task(asyncio.to_thread(detect, "The first prompt should not pay for loading this."))
        yield
        await warming
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        app.state.board.close()
        await stage.close(0)
        if relay:
            await relay.aclose()

    relay = Relay() if stage.process else None
    app = FastAPI(
        title="Arena",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        redirect_slashes=False,
        routes=_routes(operated=bool(rules.operator_key)),
    )
    app.state.stage = stage
    app.state.board = Board(stage.database)
    app.state.cookies = cookies
    app.state.rules = rules
    app.state.windows = Windows.of(stage.limits, rules)
    app.add_route("/api/{rest:path}", _nothing_here, methods=METHODS)
    problems.install(app)
    app.add_middleware(leaderboard.Newest, board=app.state.board)
    app.add_middleware(Outside)
    if relay:
        app.add_middleware(Elsewhere, stage=stage, relay=relay)
    app.add_middleware(Guard, body_limit=body_limit)
    app.add_middleware(ClientAddress, hops=hops)
    app.add_middleware(Trace)
    return app


@cache
def _routes(*, operated: bool) -> list[BaseRoute]:
    """Shared by every app of a process: what FastAPI makes of them at their first request takes a third of a second."""
    door = APIRouter()
    rooms = (votes, remarks, shares, battles, chats, me, leaderboard, models, owners, endpoints, votelog)
    for room in (*rooms, operator) if operated else rooms:
        # One level only: a router in a router is looked through anew for each request.
        door.include_router(room.router, prefix="/api/v1")
    door.include_router(health.router)
    return door.routes


async def _nothing_here(request: Request) -> Response:
    """Every unknown path of the API is a problem like any other, whatever is mounted beside it."""
    here = [method for method in METHODS if _answers(request, method)]
    if not here:
        return problems.problem(NotFound())
    refused = problems.problem(MethodNotAllowed())
    refused.headers["Allow"] = ", ".join(here)
    return refused


def _answers(request: Request, method: str) -> bool:
    """Whether a route of ours, all of which stand before the one that catches the rest, takes this path so."""
    scope = {**request.scope, "method": method}
    ours = takewhile(lambda route: getattr(route, "endpoint", None) is not _nothing_here, request.app.routes)
    return any(route.matches(scope)[0] is Match.FULL for route in ours)
