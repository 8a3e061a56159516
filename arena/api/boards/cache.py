"""Cache of the published leaderboards: documents are built once per snapshot, and open pages are notified."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from arena.adapters.observability import metrics
from arena.adapters.store import snapshots
from arena.api.boards import documents
from arena.api.boards.documents import WHOLE, Key
from arena.api.boards.history import History
from arena.api.event_stream import event
from arena.api.fan_out import FanOut
from arena.domain.errors import ArenaError
from arena.domain.schemas import Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.api.boards.documents import Page
    from arena.domain.schemas import HistoryView, LeaderboardView, MethodView, OrdersView, StyleView

log = logging.getLogger(__name__)

LOOK: Final = 1.0
"""Seconds between two checks for a newer snapshot of any process."""


class Board:
    """Holds the newest documents and notifies followers of new snapshots."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._pages: dict[Key, Page[Any]] = {}
        self._made = (0, 0)
        self._building = asyncio.Lock()
        self._looking: asyncio.Future[tuple[int, int]] | None = None
        self._history = History()
        self._newest = (0, 0)
        self.readers = FanOut()
        """Open pages, which are told the number of each new snapshot."""

    async def page(self, category: str = "", language: str = "") -> Page[LeaderboardView]:
        """Return the newest leaderboard, or that of one category, one language or both.

        Raises:
            NoBoard: There is none for this category and language, or there are not enough votes for one.
        """
        key = Key(WHOLE.kind, category, language)
        return await (self._page(key, documents.whole) if key == WHOLE else self._beside(key))

    async def style(self) -> Page[StyleView]:
        """Return the newest style-controlled fit; raises like `page`."""
        return await self._beside(Key("style"))

    async def orders(self) -> Page[OrdersView]:
        """Return the newest order sensitivity; raises like `page`."""
        return await self._beside(Key("orders"))

    async def method(self) -> Page[MethodView]:
        """Return the method of the newest leaderboard; raises like `page`."""
        return await self._page(Key("method"), documents.method)

    async def history(self) -> Page[HistoryView]:
        """Return ratings over time; raises like `page`."""
        return await self._page(Key("history"), lambda session: documents.page(*self._history.read(session)))

    async def _beside(self, key: Key) -> Page[Any]:
        return await self._page(key, partial(documents.beside, key=key))

    async def _page(self, key: Key, build: Callable[[Session], Page[Any]]) -> Page[Any]:
        """Build a document, once per snapshot for all concurrent requests."""
        made = await self._look()
        if made <= self._made and (page := self._pages.get(key)):
            return page
        async with self._building:
            if made > self._made:
                self._pages, self._made = {}, made
            if key not in self._pages:
                self._pages[key] = await self._database.read(build)
                metrics.PAGES.inc()
            return self._pages[key]

    async def _look(self) -> tuple[int, int]:
        """Look up the newest snapshot; concurrent callers share one query."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(self._database.read(snapshots.newest_ids))
        return await asyncio.shield(self._looking)

    async def watch(self) -> None:
        """Poll for newer snapshots of any process until cancelled, and tell the readers.

        A number is repeated when the further tables of its snapshot have been published.
        """
        while True:
            try:
                made = await self._look()
            except ArenaError:
                made = self._newest
            if made > self._newest:
                self._newest = made
                await self.readers.announce(event(Snapshot(id=made[0]), str(made[0])))
            await asyncio.sleep(LOOK)
