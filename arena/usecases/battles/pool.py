"""The pool of this process: the endpoints that may be drawn, read once a second at most and checked by each write.

A battle that is written from a pool that has changed meanwhile is not stored, but drawn anew.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from arena.adapters.providers.builtin import SCRIPTED
from arena.adapters.store import budgets, endpoint_states, endpoints, envelope_encryption
from arena.domain.pairing.draw import Candidate

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date

    from sqlalchemy.orm import Session

    from arena.adapters.store.endpoints import DrawableEndpoint
    from arena.adapters.store.engine import Database
    from arena.adapters.store.keyring import Keyring

FRESH: Final = 1.0
"""Seconds for which a pool is used. Keys and budgets have no number of changes: who lost either is refused by the
write, and who got it back is drawn again after this time."""
_PAIR: Final = 2


class PoolChanged(Exception):
    """An endpoint has changed since the pool was read."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of a day (UTC), with the number of the newest change of any endpoint, `version`."""

    candidates: Sequence[Candidate]
    version: int
    day: date

    def without(self, endpoint_ids: Collection[int]) -> Pool:
        """The same pool without some candidates."""
        return replace(self, candidates=[each for each in self.candidates if each.id not in endpoint_ids])

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

    _reading: asyncio.Task[Pool] | None = None
    _day: date | None = None
    _until: float = 0.0

    async def on(self, day: date, database: Database, keyring: Keyring) -> Pool:
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


def _unusable(reading: asyncio.Task[Pool]) -> bool:
    """Whether a reading failed, or found no pair: then an endpoint that came meanwhile is not kept waiting."""
    if not reading.done():
        return False
    return reading.cancelled() or bool(reading.exception()) or len(reading.result().candidates) < _PAIR


def _read(session: Session, keyring: Keyring, day: date) -> Pool:
    """The endpoints that may be drawn: active, with a key that can be opened and budget left on this day."""
    # First, so that a change during the reading is noticed by the check.
    version = endpoint_states.newest_change(session)
    out = envelope_encryption.lost(session, keyring) | budgets.spent(session, day, budgets.BATTLES)
    found = [_candidate(row) for row in endpoints.drawable(session) if row.id not in out]
    return Pool(found, version, day)


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
