"""The pool and the pair table that this process draws battles from, both read from the database.

The pool is read once a second at most and checked by each write: a battle that is written from a pool that has changed
meanwhile is not stored, but drawn anew. The pair table is polled, and used while it is fresh.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.background import repeat
from arena.adapters.store import budgets, endpoint_states, endpoints, envelope_encryption, snapshots
from arena.domain.pairing.draw import Candidate
from arena.domain.pairing.pair_table import UnknownForm, decoded
from arena_providers.base import SCRIPTED

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date, datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.endpoints import DrawableEndpoint
    from arena.adapters.store.engine import Database
    from arena.adapters.store.keyring import Keyring
    from arena.adapters.store.snapshots import PairTableStamp
    from arena.domain.pairing.pair_table import PairTable

log = logging.getLogger(__name__)

FRESH: Final = 1.0
"""Seconds for which a pool is used. Keys and budgets have no number of changes: who lost either is refused by the
write, and who got it back is drawn again after this time."""
PAUSE: Final = 2.0
"""Seconds between two checks for another pair table."""
TABLE_FRESH: Final = timedelta(minutes=10)
"""Age from which on a pair table is not drawn from: the worker seems to be away."""
_PAIR: Final = 2


class PoolChanged(Exception):
    """An endpoint has changed since the pool was read."""


@dataclass(frozen=True, slots=True)
class CandidatePool:
    """The candidates of a day (UTC), with the number of the newest change of any endpoint, `version`."""

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
    """The last reading of the pool, which callers share."""

    _reading: asyncio.Task[CandidatePool] | None = None
    _day: date | None = None
    _until: float = 0.0

    async def on(self, day: date, database: Database, keyring: Keyring) -> CandidatePool:
        """The pool on this day, at most a second old.

        Raises:
            StoreUnavailable: It could not be read.
        """
        now = asyncio.get_running_loop().time()
        if self._reading is None or day != self._day or now >= self._until or _unusable(self._reading):
            self._reading = asyncio.create_task(database.read(_read, keyring, day))
            self._day, self._until = day, now + FRESH
        return await asyncio.shield(self._reading)

    def forget(self) -> None:
        """Read the pool anew for the next caller."""
        self._reading = None


def _unusable(reading: asyncio.Task[CandidatePool]) -> bool:
    """Whether a reading failed, or found no pair: then an endpoint that came meanwhile is not kept waiting."""
    if not reading.done():
        return False
    return reading.cancelled() or bool(reading.exception()) or len(reading.result().candidates) < _PAIR


def _read(session: Session, keyring: Keyring, day: date) -> CandidatePool:
    """The endpoints that may be drawn: active, with a key that can be opened and budget left on this day."""
    # First, so that a change during the reading is noticed by the check.
    version = endpoint_states.newest_change(session)
    not_callable = envelope_encryption.lost(session, keyring) | budgets.spent(session, day, budgets.BATTLES)
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
    """The published table as this process knows it; `table` is None if there is none, or none that can be read."""

    stamp: PairTableStamp | None = None
    table: PairTable | None = None

    def at(self, now: datetime) -> PairTable | None:
        """The table, if it is fresh."""
        return self.table if self.stamp and now - self.stamp.made_at < TABLE_FRESH else None

    async def follow(self, database: Database) -> None:
        """Keep the table up to date until cancelled; while the database is away the last one ages."""
        failure = "the pair table cannot be read"
        await repeat(lambda: database.read(self.look), pause=PAUSE, failure=failure)

    def look(self, session: Session) -> None:
        """Read the published table, if it is another one than before."""
        if self.stamp == snapshots.pair_table_stamp(session):
            return
        row = snapshots.newest_pair_table(session)
        try:
            table = decoded(row.version, row.endpoints, row.chances) if row else None
        except UnknownForm as error:
            log.warning("all pairs are drawn alike: %s", error)
            table = None
        self.stamp, self.table = snapshots.PairTableStamp.of(row) if row else None, table
