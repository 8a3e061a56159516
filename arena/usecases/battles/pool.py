"""The pool and the pair table from which this process draws battles, both read from the database.

The pool is read once a second at most. The write of a battle checks it: if an endpoint has changed since, the battle is
not stored and its pair drawn again. The pair table is polled, and used while it is fresh.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.background import repeat
from arena.adapters.store import budgets, endpoint_states, endpoints, snapshots
from arena.domain.pairing.draw import Candidate
from arena.domain.pairing.pair_table import UnknownForm, decoded
from arena.domain.terms import Side
from arena_providers.base import SCRIPTED

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date, datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.endpoints import DrawableEndpoint
    from arena.adapters.store.engine import Database
    from arena.adapters.store.snapshots import PairTableStamp
    from arena.calls.targets import Keys
    from arena.domain.pairing.pair_table import PairTable

log = logging.getLogger(__name__)

FRESH: Final = 1.0
"""Seconds for which a pool is used. Keys and budgets are not part of `version`: an endpoint that loses either is
refused by the write, one that gets it back is drawn again after this time."""
TABLE_CHECK_SECONDS: Final = 2.0
"""Seconds between two checks for another pair table."""
TABLE_FRESH: Final = timedelta(minutes=10)
"""Age from which on a pair table is ignored, since its worker seems to have stopped."""


class PoolChanged(Exception):
    """An endpoint has changed since the pool was read."""


@dataclass(frozen=True, slots=True)
class CandidatePool:
    """The candidates of a day (UTC); `version` is the number of the newest change of any endpoint."""

    candidates: Sequence[Candidate]
    version: int
    day: date

    def without(self, endpoint_ids: Collection[int]) -> CandidatePool:
        """The same pool without some candidates."""
        return replace(self, candidates=[row for row in self.candidates if row.id not in endpoint_ids])

    def check(self, session: Session) -> None:
        """Check that no endpoint has changed.

        Raises:
            PoolChanged: One has.
        """
        if endpoint_states.newest_change(session) != self.version:
            raise PoolChanged


@dataclass(slots=True)
class FollowedPool:
    """The last read of the pool, which concurrent callers share."""

    _reading: asyncio.Task[CandidatePool] | None = None
    _day: date | None = None
    _until: float = 0.0

    async def on(self, day: date, database: Database, keys: Keys) -> CandidatePool:
        """The pool on this day, at most a second old.

        Raises:
            StoreUnavailable: It could not be read.
        """
        now = asyncio.get_running_loop().time()
        if self._reading is None or day != self._day or now >= self._until or _unusable(self._reading):
            self._reading = asyncio.create_task(database.read(_read, keys, day))
            self._day, self._until = day, now + FRESH
        return await asyncio.shield(self._reading)

    def forget(self) -> None:
        """Discard the last read, so that the next caller reads the pool anew."""
        self._reading = None


def _unusable(reading: asyncio.Task[CandidatePool]) -> bool:
    """Whether a read failed or has no pair; it is then repeated at once, so that a new endpoint need not wait."""
    if not reading.done():
        return False
    return reading.cancelled() or bool(reading.exception()) or len(reading.result().candidates) < len(Side)


def _read(session: Session, keys: Keys, day: date) -> CandidatePool:
    """The endpoints that may be drawn: active, with a key that can be opened and a budget for this day."""
    # First, so that `check` notices a change during the read.
    version = endpoint_states.newest_change(session)
    not_callable = keys.lost(session) | budgets.spent(session, day, budgets.BATTLES)
    candidates = [_candidate(row) for row in endpoints.drawable(session) if row.id not in not_callable]
    return CandidatePool(candidates, version, day)


def _candidate(row: DrawableEndpoint) -> Candidate:
    return Candidate(
        id=row.id,
        weight=row.weight,
        group=row.group_name,
        languages=row.languages,
        vision=row.vision,
        practice=row.demo,
        standby=row.standby,
        scripted=row.demo and row.dialect == SCRIPTED,
    )


@dataclass(slots=True)
class FollowedPairTable:
    """The newest published pair table; `table` is None if there is none, or its form is unknown."""

    stamp: PairTableStamp | None = None
    table: PairTable | None = None

    def at(self, now: datetime) -> PairTable | None:
        """The table, if it is fresh."""
        return self.table if self.stamp and now - self.stamp.made_at < TABLE_FRESH else None

    async def follow(self, database: Database) -> None:
        """Keep the table up to date until cancelled."""
        failure = "the pair table cannot be read"
        await repeat(lambda: database.read(self.look), pause=TABLE_CHECK_SECONDS, failure=failure)

    def look(self, session: Session) -> None:
        """Read the newest published table if its stamp has changed."""
        if self.stamp == snapshots.pair_table_stamp(session):
            return
        row = snapshots.newest_pair_table(session)
        try:
            table = decoded(row.version, row.endpoints, row.chances) if row else None
        except UnknownForm as error:
            log.warning("pairs are drawn by weight alone: %s", error)
            table = None
        self.stamp, self.table = snapshots.PairTableStamp.of(row) if row else None, table
