"""The published leaderboards as this process serves them: built once per snapshot, pushed to open pages."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from arena import meters
from arena.api import pages
from arena.api.history import History
from arena.api.pages import WHOLE, Key
from arena.errors import ArenaError
from arena.store import snapshots

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from sqlalchemy.orm import Session

    from arena.api.pages import Page
    from arena.store.engine import Database
    from arena.wire import HistoryView, LeaderboardView, MethodView, OrdersView, StyleView

log = logging.getLogger(__name__)

LOOK: Final = 1.0
"""Seconds between two looks for a newer snapshot, whichever process made it."""


class Board:
    """Holds the newest pages and wakes those who wait for the next."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._pages: dict[Key, Page[Any]] = {}
        self._made = (0, 0)
        self._building = asyncio.Lock()
        self._looking: asyncio.Future[tuple[int, int]] | None = None
        self._history = History()
        self._newest = (0, 0)
        self._changed = asyncio.Event()
        self._closed = False

    async def page(self, category: str = "", language: str = "") -> Page[LeaderboardView]:
        """The newest leaderboard, or that of one category, one language or both.

        Raises:
            NoSnapshot: None has been computed yet.
            NoBoard: There is none of this category and language, or not enough votes for one.
        """
        key = Key(WHOLE.kind, category, language)
        return await (self._page(key, pages.whole) if key == WHOLE else self._beside(key))

    async def style(self) -> Page[StyleView]:
        """The newest style-controlled fit; raises as `page` does."""
        return await self._beside(Key("style"))

    async def orders(self) -> Page[OrdersView]:
        """The newest order-sensitivity; raises as `page` does."""
        return await self._beside(Key("orders"))

    async def method(self) -> Page[MethodView]:
        """How the newest leaderboard was computed; raises as `page` does."""
        return await self._page(Key("method"), pages.method)

    async def history(self) -> Page[HistoryView]:
        """Ratings over time; raises as `page` does."""
        return await self._page(Key("history"), lambda session: pages.page(*self._history.read(session)))

    async def _beside(self, key: Key) -> Page[Any]:
        return await self._page(key, partial(pages.beside, key=key))

    async def _page(self, key: Key, build: Callable[[Session], Page[Any]]) -> Page[Any]:
        """A page is built once per snapshot, however many ask."""
        made = await self._look()
        if made <= self._made and (page := self._pages.get(key)):
            return page
        async with self._building:
            if made > self._made:
                self._pages, self._made = {}, made
            if key not in self._pages:
                self._pages[key] = await self._database.read(build)
                meters.PAGES.inc()
            return self._pages[key]

    async def _look(self) -> tuple[int, int]:
        """What is newest in the database now; those who ask while it is being looked up share the answer."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(self._database.read(snapshots.newest_ids))
        return await asyncio.shield(self._looking)

    async def watch(self) -> None:
        """Look for newer snapshots, whichever process published them, until cancelled."""
        while True:
            try:
                made = await self._look()
            except ArenaError:
                made = self._newest
            if made > self._newest:
                self._newest = made
                self._wake()
            await asyncio.sleep(LOOK)

    async def follow(self) -> AsyncIterator[int]:
        """Yield the number of the newest snapshot, then that of every newer one as it appears, until `close`.

        One whose tables beside it have followed is named once more.
        """
        seen = (0, 0)
        while not self._closed:
            changed = self._changed
            if self._newest > seen:
                seen = self._newest
                yield seen[0]
            else:
                await changed.wait()

    def close(self) -> None:
        """Send everybody who waits away."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
