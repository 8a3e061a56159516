"""The published leaderboard as this process serves it: built once per snapshot, pushed to open pages."""

from __future__ import annotations

import asyncio
import gzip
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.errors import ArenaError, NoSnapshot
from arena.store import snapshots
from arena.wire import LeaderboardView, SnapshotView, Standings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sqlalchemy.orm import Session

    from arena.store.engine import Database

log = logging.getLogger(__name__)

LOOK: Final = 1.0
"""Seconds between two looks for a newer snapshot, whichever process made it."""


@dataclass(frozen=True, slots=True)
class Page:
    """One leaderboard, parsed and as bytes, plain and compressed once for all readers."""

    view: LeaderboardView
    json: bytes
    gzip: bytes
    etag: str


class Board:
    """Holds the newest page and wakes those who wait for the next."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._page: Page | None = None
        self._building = asyncio.Lock()
        self._newest = 0
        self._changed = asyncio.Event()
        self._closed = False

    async def page(self) -> Page:
        """The newest leaderboard; a new snapshot is parsed once, however many ask.

        Raises:
            NoSnapshot: None has been computed yet.
        """
        number = await self._database.read(snapshots.newest_id)
        async with self._building:
            if self._page is None or self._page.view.snapshot.id < number:
                self._page = await self._database.read(_newest)
        if self._page is None:
            raise NoSnapshot
        return self._page

    async def watch(self) -> None:
        """Look for newer snapshots, whichever process published them, until cancelled."""
        while True:
            try:
                number = await self._database.read(snapshots.newest_id)
            except ArenaError:
                number = self._newest
            if number > self._newest:
                self._newest = number
                self._wake()
            await asyncio.sleep(LOOK)

    async def follow(self) -> AsyncIterator[int]:
        """Yield the number of the newest snapshot, then that of every newer one as it appears, until `close`."""
        seen = 0
        while not self._closed:
            changed = self._changed
            if self._newest > seen:
                seen = self._newest
                yield seen
            else:
                await changed.wait()

    def close(self) -> None:
        """Send everybody who waits away."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


def _newest(session: Session) -> Page | None:
    row = snapshots.newest(session)
    if row is None or row.payload is None:
        return None
    standings = Standings.model_validate_json(row.payload)
    view = LeaderboardView(
        snapshot=SnapshotView.model_validate(row, from_attributes=True), rows=standings.rows, pairs=standings.pairs
    )
    body = view.model_dump_json().encode()
    return Page(view, body, gzip.compress(body, 6, mtime=0), f'"{row.id}-{row.digest[:32]}"')
