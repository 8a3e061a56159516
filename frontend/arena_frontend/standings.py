"""The newest leaderboard for the first bytes of pages."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from arena.domain.schemas import LeaderboardView

log = logging.getLogger(__name__)

PAUSE: Final = 10.0
"""Seconds between two looks for a newer leaderboard."""
Source = Callable[[], Awaitable["LeaderboardView | None"]]


class Standings:
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
                found = await self._source()
            except Exception:
                log.warning("the pages cannot read the leaderboard", exc_info=True)
            else:
                self._newest = found if found and found.rows else None
                if found is None:  # the arena is still being built
                    self._due = self._clock()
        return self._newest
