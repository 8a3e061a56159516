"""Queries about stored leaderboards and the published pair table."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import and_, delete, func, select, update
from sqlalchemy.orm import defer

from arena.adapters.store import log_leaves
from arena.adapters.store.tables.snapshots import PairTableRow, PartRow, SnapshotRow
from arena_trust.tlog.leaves import LeafKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.domain.terms import PairingRule

# SQLite goes through a whole table, of up to tens of megabytes, to a column behind it.
_WITHOUT_TABLE: Final = defer(SnapshotRow.payload), defer(SnapshotRow.created_at)
FINE: Final = timedelta(days=2)
"""Time for which the last table of every hour is stored in addition to that of every day."""
MAX_DROPPED: Final = 500
"""Most tables that are deleted at once, as votes wait for that transaction on SQLite."""


def newest(session: Session) -> SnapshotRow | None:
    """The newest leaderboard."""
    return session.scalar(select(SnapshotRow).order_by(SnapshotRow.id.desc()).limit(1))


def newest_before(session: Session, moment: datetime) -> SnapshotRow | None:
    """The newest leaderboard up to a time that still has its table."""
    old = select(SnapshotRow).where(SnapshotRow.payload.is_not(None), SnapshotRow.created_at <= moment)
    return session.scalar(old.order_by(SnapshotRow.created_at.desc(), SnapshotRow.id.desc()).limit(1))


def newest_id(session: Session) -> int:
    """The id of the newest leaderboard, 0 before the first one."""
    return session.scalar(select(func.max(SnapshotRow.id))) or 0


def newest_ids(session: Session) -> tuple[int, int]:
    """The ids of the newest leaderboard and of the newest one with parts; 0 if there is none."""
    return newest_id(session), session.scalar(select(func.max(PartRow.snapshot_id))) or 0


def by_id(session: Session, number: int) -> SnapshotRow | None:
    """One leaderboard; its table may be deleted."""
    return session.get(SnapshotRow, number)


def last(session: Session) -> SnapshotRow | None:
    """The newest leaderboard; its table and its time are read once they are asked for."""
    return session.scalar(select(SnapshotRow).options(*_WITHOUT_TABLE).order_by(SnapshotRow.id.desc()).limit(1))


def superfluous(session: Session, before: datetime) -> list[int]:
    """The oldest snapshots from before a time whose tables may go, at most `MAX_DROPPED`.

    Spared are the last of each day and of each recent hour, and the newest with parts.
    """
    stored = _stored(session)
    hours = _last_of(stored, lambda moment: (moment.date(), moment.hour))
    spared = _last_of(stored, lambda moment: moment.date()) | {newest_ids(session)[1]}
    return [
        number
        for number, moment in stored
        if moment < before and number not in spared and (moment < before - FINE or number not in hours)
    ][:MAX_DROPPED]


def drop_tables(session: Session, numbers: Collection[int]) -> int:
    """Delete the tables of these snapshots, with their parts; returns the number of deleted tables."""
    with_table = SnapshotRow.id.in_(numbers), SnapshotRow.payload.is_not(None)
    dropped = session.scalars(update(SnapshotRow).where(*with_table).values(payload=None).returning(SnapshotRow.id))
    if numbers := dropped.all():
        session.execute(delete(PartRow).where(PartRow.snapshot_id.in_(numbers)))
    return len(numbers)


def _stored(session: Session) -> list[tuple[int, datetime]]:
    """Id and time of the snapshots that have their tables, by an index of these alone."""
    query = select(SnapshotRow.id, SnapshotRow.created_at).where(SnapshotRow.payload.is_not(None))
    return [(number, moment) for number, moment in session.execute(query.order_by(SnapshotRow.created_at))]


def _last_of(rows: Iterable[tuple[int, datetime]], period: Callable[[datetime], object]) -> set[int]:
    """The highest id of each period (UTC)."""
    last: dict[object, int] = {}
    for number, moment in sorted(rows):
        last[period(moment)] = number
    return set(last.values())


def add(session: Session, row: SnapshotRow) -> int:
    """Publish a leaderboard; returns its id."""
    session.add(row)
    session.flush()
    heads = {
        "last_vote": row.last_vote,
        "last_exclusion": row.last_exclusion,
        "last_decision": row.last_decision,
    }
    log_leaves.add(session, LeafKind.SNAPSHOT, id=row.id, digest=row.digest, **heads)
    return row.id


def add_parts(session: Session, rows: Iterable[PartRow]) -> None:
    """Publish a leaderboard's parts, and delete the contents of earlier ones except their digests.

    Each is made, stored and forgotten before the next, since all together have tens of megabytes.
    """
    number = 0
    for row in rows:
        session.add(row)
        session.flush()
        session.expunge(row)
        number = row.snapshot_id
    older = PartRow.snapshot_id < number
    session.execute(update(PartRow).where(and_(older, PartRow.payload.is_not(None))).values(payload=None))


def parts_of(session: Session, number: int) -> Sequence[PartRow]:
    """The parts of one leaderboard, without their contents."""
    query = select(PartRow).options(defer(PartRow.payload)).where(PartRow.snapshot_id == number)
    return session.scalars(query.order_by(PartRow.category, PartRow.language, PartRow.kind)).all()


def newest_with_parts(session: Session) -> SnapshotRow | None:
    """The newest leaderboard with parts, which follow later than its table; read as by `last`."""
    number = session.scalar(select(func.max(PartRow.snapshot_id)))
    return None if number is None else session.get(SnapshotRow, number, options=_WITHOUT_TABLE)


def part(session: Session, number: int, kind: str, category: str = "", language: str = "") -> PartRow | None:
    """One part of a leaderboard."""
    return session.scalar(
        select(PartRow).where(
            PartRow.snapshot_id == number,
            PartRow.kind == kind,
            PartRow.category == category,
            PartRow.language == language,
        )
    )


def stored_ids(session: Session) -> list[int]:
    """Ids of the leaderboards that still have tables: the last of every day and every recent hour, ascending."""
    return sorted(_last_of(_stored(session), lambda moment: (moment.date(), moment.hour)))


class PairTableStamp(NamedTuple):
    """The snapshot of a pair table, its rule, and the time of its computation."""

    snapshot: int
    rule: PairingRule
    made_at: datetime

    @classmethod
    def of(cls, row: PairTableRow) -> PairTableStamp:
        """The stamp of this table."""
        return cls(row.snapshot_id, row.rule, row.made_at)


def pair_table_stamp(session: Session) -> PairTableStamp | None:
    """The stamp of the published pair table, or None."""
    columns = PairTableRow.snapshot_id, PairTableRow.rule, PairTableRow.made_at
    result = session.execute(select(*columns).order_by(PairTableRow.snapshot_id.desc()).limit(1)).first()
    return PairTableStamp(*result) if result else None


def newest_pair_table(session: Session) -> PairTableRow | None:
    """The published pair table, or None."""
    return session.scalar(select(PairTableRow).order_by(PairTableRow.snapshot_id.desc()).limit(1))


def replace_pair_table(session: Session, row: PairTableRow | None) -> None:
    """Publish a pair table in place of the previous one, or with None remove that."""
    session.execute(delete(PairTableRow))
    if row is not None:
        session.add(row)
