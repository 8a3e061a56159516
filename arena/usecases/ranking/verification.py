"""Verification of a snapshot and its parts: recompute them from the log and compare digests."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from arena.adapters.store import endpoints, snapshots
from arena.domain.errors import Invalid, NotFound
from arena.domain.labels.categories import WEB
from arena.domain.merged_hosts import HOSTS, recorded_hosts
from arena.usecases.ranking.heads import Head
from arena.usecases.ranking.methods import Method, digest, fit, parameters_of, unlisted_of
from arena.usecases.ranking.public_rows import public_identity
from arena.usecases.ranking.slice_boards import BOARD, Source, compute_parts, web_boards
from arena.usecases.ranking.vote_columns import CountedLog
from arena.usecases.ranking.vote_labels import recorded_labels, with_labels
from arena.usecases.ranking.web_votes import read_web_votes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.snapshots import PartRow, SnapshotRow
    from arena.domain.schemas.leaderboard import LeaderboardView
    from arena.domain.terms import JsonObject
    from arena.usecases.ranking.vote_slices import Slices
    from arena_rating import Comparisons


@dataclass(frozen=True, slots=True)
class Verification:
    """The stored and the recomputed digest of a snapshot, or of its part named `of`."""

    id: int
    stored: str
    computed: str
    of: str = ""
    code_version: str = ""
    """Version of the arena that computed the stored one."""
    parts: tuple[Verification, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the recomputed numbers equal the published ones to the last bit, including all parts."""
        return self.stored == self.computed and all(part.holds for part in self.parts)


@dataclass(frozen=True, slots=True, eq=False)
class _Stored:
    """A snapshot, its parts, and the input they were computed from; `log` keeps the file that `slices` read."""

    row: SnapshotRow
    log: CountedLog
    parts: Sequence[PartRow]
    comparisons: Comparisons
    slices: Slices
    identities: dict[str, JsonObject]
    labels: dict[str, object] | None
    web: tuple[Comparisons, dict[str, JsonObject]]

    @property
    def head(self) -> Head:
        return Head(self.row.last_vote, self.row.last_exclusion, self.row.last_decision)


async def verify(database: Database, number: int, *, executor: Executor) -> Verification:
    """Recompute snapshot `number` from the votes, exclusions and decisions that it includes.

    Raises:
        NotFound: There is no such snapshot.
    """
    stored = await database.read(_stored, number)
    run, row = asyncio.get_running_loop().run_in_executor, stored.row
    method, unlisted = Method(parameters_of(row.parameters), row.seed), unlisted_of(row.parameters)
    board = await run(executor, fit, stored.comparisons, method)
    parts: tuple[Verification, ...] = ()
    if stored.parts:
        method = Method(parameters_of(stored.parts[0].parameters), row.seed)
        hosts = recorded_hosts(stored.parts[0].parameters)
        source = Source(method, stored.head, unlisted, stored.identities, stored.labels, hosts)
        tables = (await run(executor, compute_parts, stored.comparisons, stored.slices, source)).tables
        if len(stored.web[0]):
            tables += await run(executor, web_boards, stored.web[0], replace(source, identities=stored.web[1]))
        results = {part.key: part.digest for part in tables}
        keys = [((part.kind, part.category, part.language), part.digest) for part in stored.parts]
        parts = tuple(
            Verification(row.id, stored_digest, results.get(key, ""), of=_title(*key)) for key, stored_digest in keys
        )
    return Verification(
        row.id, row.digest, digest(board, stored.head, unlisted, row.method), code_version=row.code_version, parts=parts
    )


def verify_published(
    log: Comparisons, slices: Slices, published: LeaderboardView, executor: Executor | None = None
) -> Verification:
    """Recompute a published leaderboard from `log`, the counted votes of a public export up to its last vote.

    The leaderboard is the whole board, with hosts merged or not, or one of a category or language. `log` must have no
    votes on unlisted competitors; for the board of web pages it has the votes on these alone.

    Raises:
        Invalid: The board has no snapshot, or the export too few votes for that category or language.
    """
    snapshot = published.snapshot
    if snapshot is None:
        raise Invalid("The board has no snapshot.")
    method, head = (
        Method(parameters_of(snapshot.parameters), snapshot.seed),
        Head(snapshot.last_vote, snapshot.last_exclusion, snapshot.last_decision),
    )
    unlisted = unlisted_of(snapshot.parameters)
    if not (published.category or published.language or published.hosts):
        return Verification(
            snapshot.id,
            snapshot.digest,
            digest(fit(log, method, executor), head, unlisted, snapshot.method),
            code_version=snapshot.code_version,
        )
    key = (HOSTS if published.hosts else BOARD, published.category, published.language)
    labels, hosts = recorded_labels(snapshot.parameters), recorded_hosts(snapshot.parameters)
    source = Source(method, head, unlisted, labels=labels, hosts=hosts)
    tables = web_boards(log, source) if published.category == WEB else compute_parts(log, slices, source).tables
    for part in tables:
        if part.key == key:
            return Verification(snapshot.id, snapshot.digest, part.digest, _title(*key), snapshot.code_version)
    raise Invalid(f"The export has too few votes for the {_title(*key)}.")


def _title(kind: str, category: str, language: str) -> str:
    return " ".join(word for word in (kind, category, language) if word)


def _stored(session: Session, number: int) -> _Stored:
    row = snapshots.by_id(session, number)
    if row is None:
        raise NotFound(f"There is no snapshot {number}.")
    log, head = CountedLog(), Head(row.last_vote, row.last_exclusion, row.last_decision)
    log.advance(session, head)
    rows = endpoints.by_id(session, log.seen)
    results = {number: entry.name for number, entry in rows.items()}
    identities = {entry.name: public_identity(entry) for entry in rows.values()}
    unlisted = set(unlisted_of(row.parameters))
    counted = log.without(number for number, name in results.items() if name in unlisted)
    parts = snapshots.parts_of(session, number)
    log.slices.advance(session, head.vote)
    labels = recorded_labels(parts[0].parameters) if parts else None
    slices = with_labels(session, log.labels, log.slices.of(counted.numbers), counted.numbers, labels)
    web = read_web_votes(session, log, unlisted)
    return _Stored(row, log, parts, counted.comparisons(results), slices, identities, labels, web)
