"""Verifying: compute a snapshot again from the log and compare, and so the tables beside it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.errors import Invalid, NotFound
from arena.ranking.logs import CountedLog, Head
from arena.ranking.methods import Method, digest, fit, parameters_of, unlisted_of
from arena.ranking.parts import BOARD, Source, compute_parts
from arena.store import endpoints, snapshots

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor

    from sqlalchemy.orm import Session

    from arena.ranking.facets import Facets
    from arena.rating import Comparisons
    from arena.store.engine import Database
    from arena.store.tables import PartRow, SnapshotRow
    from arena.wire import LeaderboardView


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a snapshot, or the table `of` beside it, says of itself, and what the log says."""

    id: int
    stored: str
    computed: str
    of: str = ""
    parts: tuple[Verdict, ...] = ()

    @property
    def holds(self) -> bool:
        """The log gives the same numbers to the last bit that is published, here and beside it."""
        return self.stored == self.computed and all(part.holds for part in self.parts)


@dataclass(frozen=True, slots=True, eq=False)
class _Stored:
    """A snapshot, its parts, and what it was computed from."""

    row: SnapshotRow
    parts: Sequence[PartRow]
    comparisons: Comparisons
    facets: Facets

    @property
    def head(self) -> Head:
        return Head(self.row.last_vote, self.row.last_exclusion)


async def verify(database: Database, number: int, *, executor: Executor) -> Verdict:
    """Compute snapshot `number` again from the votes and exclusions that it had read.

    Raises:
        NotFound: There is no such snapshot.
    """
    stored = await database.read(_stored, number)
    run, row = asyncio.get_running_loop().run_in_executor, stored.row
    method, unlisted = Method(parameters_of(row.parameters), row.seed), unlisted_of(row.parameters)
    board = await run(executor, fit, stored.comparisons, method)
    parts: tuple[Verdict, ...] = ()
    if stored.parts:
        source = Source(Method(parameters_of(stored.parts[0].parameters), row.seed), stored.head, unlisted)
        made = (await run(executor, compute_parts, stored.comparisons, stored.facets, source)).made
        found = {part.key: part.digest for part in made}
        keys = [((part.kind, part.category, part.language), part.digest) for part in stored.parts]
        parts = tuple(Verdict(row.id, told, found.get(key, ""), of=_title(*key)) for key, told in keys)
    return Verdict(row.id, row.digest, digest(board, stored.head, unlisted), parts=parts)


def verify_published(
    log: Comparisons, facets: Facets, published: LeaderboardView, executor: Executor | None = None
) -> Verdict:
    """Compute a published leaderboard again from `log`, the counted votes of a public export up to its last vote.

    It is the board of everything or of one category or language; votes on competitors that it left out are not in
    `log`.

    Raises:
        Invalid: The export has too few votes for a board of that category or language.
    """
    snapshot = published.snapshot
    method, head = (
        Method(parameters_of(snapshot.parameters), snapshot.seed),
        Head(snapshot.last_vote, snapshot.last_exclusion),
    )
    unlisted = unlisted_of(snapshot.parameters)
    if not (published.category or published.language):
        return Verdict(snapshot.id, snapshot.digest, digest(fit(log, method, executor), head, unlisted))
    key = (BOARD, published.category, published.language)
    for part in compute_parts(log, facets, Source(method, head, unlisted)).made:
        if part.key == key:
            return Verdict(snapshot.id, snapshot.digest, part.digest, of=_title(*key))
    raise Invalid(f"The export has too few votes for the {_title(*key)}.")


def _title(kind: str, category: str, language: str) -> str:
    return " ".join(word for word in (kind, category, language) if word)


def _stored(session: Session, number: int) -> _Stored:
    row = snapshots.by_id(session, number)
    if row is None:
        raise NotFound(f"There is no snapshot {number}.")
    log, head = CountedLog(), Head(row.last_vote, row.last_exclusion)
    log.advance(session, head)
    found = {number: each.name for number, each in endpoints.by_id(session, log.seen).items()}
    unlisted = set(unlisted_of(row.parameters))
    counted = log.without(number for number, name in found.items() if name in unlisted)
    parts = snapshots.parts_of(session, number)
    log.facets.advance(session, head.vote)
    return _Stored(row, parts, counted.comparisons(found), log.facets.of(counted.numbers))
