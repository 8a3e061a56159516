"""The pace of battles, which each process computes from the published speeds of the models."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.adapters.background import repeat
from arena.adapters.store import track_records
from arena.domain.blinding.pacing import Pace
from arena.domain.blinding.speeds import PoolPace, pool_pace

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database

log = logging.getLogger(__name__)

READ_SECONDS: Final = 30.0
"""Seconds between two reads of the published speeds, which change once a day."""


@dataclass(slots=True)
class FollowedPace:
    """The pace of battles; `rate` and `start` are the operator's, and 0 and None leave them to the pool."""

    interval: float = 0.1
    rate: int = 0
    start: float | None = None
    pool: PoolPace = field(default_factory=PoolPace)
    _warned: bool = False

    @property
    def current(self) -> Pace:
        """The pace of a turn that starts now."""
        start = self.pool.start if self.start is None else self.start
        return Pace(self.interval, self.rate or self.pool.rate, start, self.pool.segment)

    async def follow(self, database: Database) -> None:
        """Keep the pace up to date until cancelled; it does not change while the database is away."""
        await repeat(lambda: self.look(database), pause=READ_SECONDS, failure="the speeds of the models cannot be read")

    async def look(self, database: Database) -> None:
        """Read the speeds, and warn the operator once of a `rate` that no model sustains."""
        self.pool = pool_pace(await database.read(track_records.speeds), self.rate)
        too_fast = self.pool.sustained.get(self.rate) == 0
        if too_fast and not self._warned:
            log.warning(
                "ARENA_RELEASE_RATE=%d: no model writes so fast, so pauses in the text may reveal which model is slow",
                self.rate,
            )
        self._warned = too_fast
