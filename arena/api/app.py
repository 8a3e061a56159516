"""The application: routes under /api/v1, guarded, on a stage that the caller has built."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from fastapi import APIRouter, FastAPI, Request, Response

from arena.api import battles, health, leaderboard, models, problems, votelog, votes
from arena.api.board import Board
from arena.api.guard import Guard
from arena.errors import NotFound
from arena.language import detect

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from arena.api.voter import Cookies
    from arena.battles import Stage

BODY_LIMIT = 65_536


def create_app(stage: Stage, cookies: Cookies, *, body_limit: int = BODY_LIMIT) -> FastAPI:
    """Build the door to `stage`; starting it begins to watch for snapshots, stopping it ends what still runs."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        watching = asyncio.create_task(app.state.board.watch())
        warming = asyncio.create_task(asyncio.to_thread(detect, "The first prompt should not pay for loading this."))
        yield
        await warming
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        app.state.board.close()
        await stage.close(0)

    app = FastAPI(
        title="Arena",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        redirect_slashes=False,
    )
    app.state.stage = stage
    app.state.board = Board(stage.database)
    app.state.cookies = cookies
    api = APIRouter(prefix="/api/v1")
    for room in (votes, battles, leaderboard, models, votelog):
        api.include_router(room.router)
    app.include_router(api)
    app.include_router(health.router)
    app.add_route("/api/{rest:path}", _nothing_here, methods=["GET", "POST", "PUT", "PATCH", "DELETE"])
    problems.install(app)
    app.add_middleware(Guard, body_limit=body_limit)
    return app


async def _nothing_here(_request: Request) -> Response:
    """Every unknown path of the API is a problem like any other, whatever is mounted beside it."""
    return problems.problem(NotFound())
