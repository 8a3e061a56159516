"""Verifying: compute a snapshot again from the log and compare."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.errors import NotFound
from arena.ranking.logs import CountedLog, Head
from arena.ranking.methods import Method, digest, fit, parameters_of
from arena.store import endpoints, snapshots

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from sqlalchemy.orm import Session

    from arena.rating import Comparisons
    from arena.store.engine import Database
    from arena.store.tables import SnapshotRow
    from arena.wire import SnapshotView


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a snapshot says of itself, and what the log says."""

    id: int
    stored: str
    computed: str

    @property
    def holds(self) -> bool:
        """The log gives the same numbers to the last bit that is published."""
        return self.stored == self.computed


async def verify(database: Database, number: int, *, executor: Executor) -> Verdict:
    """Compute snapshot `number` again from the votes and exclusions that it had read.

    Raises:
        NotFound: There is no such snapshot.
    """
    row = await database.read(snapshots.by_id, number)
    if row is None:
        raise NotFound(f"There is no snapshot {number}.")
    head = Head(row.last_vote, row.last_exclusion)
    comparisons = await database.read(_log, head)
    board = await asyncio.get_running_loop().run_in_executor(executor, fit, comparisons, _method(row))
    return Verdict(id=row.id, stored=row.digest, computed=digest(board, head))


def verify_published(log: Comparisons, published: SnapshotView, executor: Executor | None = None) -> Verdict:
    """Compute a published snapshot again from `log`, the counted votes of a public export up to its last vote."""
    method = Method(parameters_of(published.parameters), published.seed)
    head = Head(published.last_vote, published.last_exclusion)
    return Verdict(id=published.id, stored=published.digest, computed=digest(fit(log, method, executor), head))


def _method(row: SnapshotRow) -> Method:
    return Method(parameters_of(row.parameters), row.seed)


def _log(session: Session, head: Head) -> Comparisons:
    log = CountedLog()
    log.advance(session, head)
    found = endpoints.by_id(session, log.endpoints())
    return log.comparisons({number: row.name for number, row in found.items()})
