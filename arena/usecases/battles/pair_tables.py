"""The pair table of this process: followed in the database, and used while it is fresh."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.background import repeat
from arena.adapters.store import snapshots
from arena.domain.pairing.pair_table import UnknownForm, decoded

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.snapshots import PairTableStamp
    from arena.domain.pairing.pair_table import PairTable

log = logging.getLogger(__name__)

LOOK: Final = 2.0
"""Seconds between two checks for another table."""
FRESH: Final = timedelta(minutes=10)
"""Age from which on a table is not drawn from: the worker seems to be away."""


@dataclass(slots=True)
class FollowedTable:
    """The published table as this process knows it; `table` is None if there is none, or none that can be read."""

    stamp: PairTableStamp | None = None
    table: PairTable | None = None

    def at(self, now: datetime) -> PairTable | None:
        """The table, if it is fresh."""
        return self.table if self.stamp and now - self.stamp.made_at < FRESH else None

    async def follow(self, database: Database) -> None:
        """Keep the table up to date until cancelled; while the database is away the last one ages."""
        failure = "the pair table cannot be read"
        await repeat(lambda: database.read(self.look), pause=LOOK, failure=failure)

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
