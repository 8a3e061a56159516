"""The first seconds of a serving process: pages are served while the arena behind them is built."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from arena.api.page_mount import INSIDE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from fastapi import FastAPI
    from starlette.types import ASGIApp, Receive, Scope, Send

    from arena.domain.schemas import LeaderboardView

    Source = Callable[[], Awaitable[LeaderboardView | None]]


class Startup:
    """Serves pages at once; all other requests wait for the arena, which from then on gets every request.

    Importing and building the arena takes seconds, and a page needs nothing of it.
    """

    def __init__(self, pages: Callable[[Source], ASGIApp]) -> None:
        self.arena: asyncio.Future[FastAPI] = asyncio.get_running_loop().create_future()
        self.pages = pages(self._leaderboard)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.arena.done():
            app = self.arena.result()
        elif scope["path"].startswith(INSIDE):
            app = await asyncio.shield(self.arena)
        else:
            app = self.pages
        await app(scope, receive, send)

    async def _leaderboard(self) -> LeaderboardView | None:
        """Return the newest leaderboard, for the first bytes of pages; None until there is an arena."""
        return (await self.arena.result().state.board.page()).view if self.arena.done() else None
