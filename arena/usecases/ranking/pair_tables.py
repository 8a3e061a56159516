"""Publication of the pair table for draws of battles: for each snapshot, and again before it gets too old."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.store import endpoints, snapshots, track_records
from arena.adapters.store.tables.snapshots import PairTableRow
from arena.domain.blinding.speeds import pool_pace
from arena.domain.pairing.pair_table import VERSION
from arena.domain.terms import PairingRule, Side
from arena.usecases.ranking.heads import Head
from arena.usecases.ranking.pair_computation import compute_pairs

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.leases import Guard
    from arena.domain.pairing.pair_table import PairTable
    from arena.usecases.ranking.publication import Publication
    from arena.usecases.ranking.sent_columns import SentColumns
    from arena.usecases.ranking.vote_columns import CountedLog

RENEWAL: Final = timedelta(minutes=3)
"""Age at which a table is computed again, since other models may be active; from ten minutes on it is ignored."""


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """Input of a table: snapshot, votes, numbers of models by name, those that may be drawn, and the slow ones."""

    snapshot: int
    columns: SentColumns
    numbers: dict[str, int]
    pool: list[int]
    slow: tuple[int, ...]


async def publish_pairs(publication: Publication, rule: PairingRule, release_rate: int = 0) -> bool:
    """Publish a table for the newest snapshot if it has none, or an old one; returns whether one was published.

    There is none by the uniform rule (an existing one is deleted), nor without a snapshot. Models of one speed class
    meet more often, see `pool_pace`, whose `release_rate` is the operator's, or 0. The log of the publication has to be
    where the newest snapshot was computed; where it has advanced since, the table follows the next one.
    """
    database, log, now = publication.database, publication.log, publication.now()
    if rule is PairingRule.UNIFORM:
        if await database.read(snapshots.pair_table_stamp):
            await database.write(_store, publication.guard, None)
        return False
    async with log.lock:
        plan = await database.read(_plan, log, rule, now, release_rate)
    if plan is None:
        return False
    table = await plan.columns.run(publication.executor, compute_pairs, plan.numbers, plan.pool, rule, plan.slow)
    await database.write(_store, publication.guard, _row(table, plan.snapshot, rule, now))
    return True


def _plan(session: Session, log: CountedLog, rule: PairingRule, now: datetime, release_rate: int) -> _Plan | None:
    newest, stamp = snapshots.last(session), snapshots.pair_table_stamp(session)
    if newest is None or (
        stamp and (stamp.snapshot, stamp.rule) == (newest.id, rule) and now - stamp.made_at < RENEWAL
    ):
        return None
    if log.head != Head(newest.last_vote, newest.last_exclusion, newest.last_decision):
        return None
    pool = [row.id for row in endpoints.active(session) if row.listed]
    if len(pool) < len(Side):
        return None
    slow = pool_pace(track_records.speeds(session), release_rate).slow
    unlisted = endpoints.unlisted(session)
    names = {number: row.name for number, row in endpoints.by_id(session, log.seen.difference(unlisted)).items()}
    numbers = {name: number for number, name in names.items()}
    return _Plan(newest.id, log.sent_columns(names, unlisted), numbers, pool, slow)


def _row(table: PairTable, snapshot: int, rule: PairingRule, now: datetime) -> PairTableRow:
    return PairTableRow(
        snapshot_id=snapshot,
        version=VERSION,
        rule=rule,
        endpoints=list(table.endpoints),
        chances=table.encoded(),
        made_at=now,
    )


def _store(session: Session, guard: Guard, row: PairTableRow | None) -> None:
    guard(session)
    snapshots.replace_pair_table(session, row)
