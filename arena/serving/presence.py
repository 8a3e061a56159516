"""The presence of a serving process: others see that it is there, and end its turns soon after it is gone."""

from __future__ import annotations

import logging
import time
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.background import in_background, repeat
from arena.adapters.store import leases
from arena.domain.errors import ArenaError
from arena.usecases.battles.sweeper import PRESENCE, end_turns_of_gone, presence_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database

log = logging.getLogger(__name__)

LEASE: Final = 12.0
"""Seconds after which a process that has not shown itself is gone."""
BEAT: Final = 2.0
"""Seconds between two renewals."""
_LEASE_RETENTION: Final = timedelta(days=1)
"""Age at which the leases of processes that are gone are deleted."""


@dataclass(slots=True)
class Presence:
    """One process's lease, and its judgement on others.

    Others are judged only by one that has itself renewed without a gap for as long as a lease lasts: after an outage of
    the database all leases have ended, and each process has to have had the time to renew its own.
    """

    database: Database
    process: str
    now: Callable[[], datetime]
    clock: Callable[[], float] = time.monotonic
    _since: float = float("inf")
    _renewed: float = float("-inf")

    async def beat(self) -> None:
        """Renew the lease, and end the turns of processes that are gone."""
        moment = self.clock()
        if moment - self._renewed > LEASE / 2:
            self._since = moment
        ended = await self.database.write(self._renew, judges=moment - self._since >= LEASE)
        self._renewed = moment
        if ended:
            log.warning("%d turns of processes that are gone were ended", ended)

    def _renew(self, session: Session, *, judges: bool) -> int:
        name = presence_of(self.process)
        leases.take(session, name, name, self.now(), LEASE)
        if not judges:
            leases.forget_before(session, PRESENCE, self.now() - _LEASE_RETENTION)
            return 0
        return end_turns_of_gone(session, self.process, self.now())

    async def leave(self) -> None:
        """End the lease."""
        name = presence_of(self.process)
        with suppress(ArenaError):
            await self.database.write(leases.release, name, name, self.now())


@asynccontextmanager
async def present(database: Database, process: str, now: Callable[[], datetime]) -> AsyncGenerator[None]:
    """Show during the block that `process` is there."""
    presence = Presence(database, process, now)
    await presence.beat()
    renewal = repeat(presence.beat, pause=BEAT, failure="the presence of this process cannot be renewed")
    try:
        async with in_background(renewal):
            yield
    finally:
        await presence.leave()
