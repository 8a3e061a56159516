"""The front end as one ASGI application."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from arena_frontend import page_cache
from arena_frontend.asgi import Site
from arena_frontend.bundle import Bundle, gradio_files
from arena_frontend.finished_pages import Pages, finish
from arena_frontend.plain_pages import not_found, not_ready

if TYPE_CHECKING:
    from arena.domain.schemas.leaderboard import LeaderboardView

log = logging.getLogger(__name__)

PAUSE: Final = 10.0
"""Seconds between two looks for a newer leaderboard."""
Source = Callable[[], Awaitable["LeaderboardView | None"]]


def create_app(address: str = "", source: Source | None = None) -> Site:
    """Build the site; pages are rendered in the background, in a moment from the cache or else in seconds.

    Mount the result at `/`, behind the API of the same origin. It needs no lifespan, no setting and no secret, and may
    be built inside or outside a running event loop. `address` is the arena's public address, such as
    https://arena.example; previews of links on other sites need it for their picture. Without it only a visitor of
    this machine or its own network gets absolute links. `source` gives the newest
    leaderboard, whose top rows are in the first bytes of two pages.
    """
    bundle = Bundle.load()
    board = LeaderboardSource(source).newest if source else None
    pages = Pages(lambda: partial(finish, page_cache.load(), bundle), board, waiting=partial(not_ready, bundle))
    return Site(pages, gradio_files() | bundle.files, partial(not_found, bundle), address.rstrip("/"))


class LeaderboardSource:
    """Asks `source` for the newest leaderboard, at most every `PAUSE` seconds however many visitors there are."""

    def __init__(self, source: Source, clock: Callable[[], float] = time.monotonic) -> None:
        self._source = source
        self._clock = clock
        self._due = -PAUSE
        self._newest: LeaderboardView | None = None

    async def newest(self) -> LeaderboardView | None:
        """Return the newest leaderboard, or None before the first; of a source that fails, the last one it gave."""
        if self._clock() >= self._due:
            self._due = self._clock() + PAUSE
            try:
                board = await self._source()
            except Exception:
                log.warning("the pages cannot read the leaderboard", exc_info=True)
            else:
                self._newest = board if board and board.rows else None
                if board is None:  # the arena is still being built
                    self._due = self._clock()
        return self._newest
