"""Queries about stored leaderboards."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import and_, delete, extract, func, or_, select, update
from sqlalchemy.orm import defer

from arena.store.tables import PartRow, SnapshotRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

FINE: Final = timedelta(days=2)
"""For how long the last table of every hour is kept beside that of every day."""


def newest(session: Session) -> SnapshotRow | None:
    """The leaderboard that is published now."""
    return session.scalar(select(SnapshotRow).order_by(SnapshotRow.id.desc()).limit(1))


def newest_id(session: Session) -> int:
    """Its number, 0 before the first one."""
    return session.scalar(select(func.max(SnapshotRow.id))) or 0


def newest_ids(session: Session) -> tuple[int, int]:
    """The numbers of the newest leaderboard and of the newest one with tables beside it; 0 where there is none."""
    return newest_id(session), session.scalar(select(func.max(PartRow.snapshot_id))) or 0


def by_id(session: Session, number: int) -> SnapshotRow | None:
    """One leaderboard, whether or not it still has its table."""
    return session.get(SnapshotRow, number)


def last(session: Session) -> SnapshotRow | None:
    """What the newest leaderboard says of itself, without its table."""
    return session.scalar(
        select(SnapshotRow).options(defer(SnapshotRow.payload)).order_by(SnapshotRow.id.desc()).limit(1)
    )


def drop_tables(session: Session, before: datetime) -> int:
    """Empty the tables of snapshots from before, but for the last of each day and each recent hour; returns how many.

    The parts beside an emptied table go with it.
    """
    made = SnapshotRow.created_at
    last_of_day = select(func.max(SnapshotRow.id)).group_by(func.date(made))
    last_of_hour = select(func.max(SnapshotRow.id)).group_by(func.date(made), extract("hour", made))
    dropped = session.execute(
        update(SnapshotRow)
        .where(
            made < before,
            SnapshotRow.payload.is_not(None),
            SnapshotRow.id.not_in(last_of_day),
            or_(made < before - FINE, SnapshotRow.id.not_in(last_of_hour)),
        )
        .values(payload=None)
        .returning(SnapshotRow.id)
    ).all()
    if dropped:
        session.execute(delete(PartRow).where(PartRow.snapshot_id.in_([row.id for row in dropped])))
    return len(dropped)


def add(session: Session, row: SnapshotRow) -> int:
    """Publish a leaderboard; returns its number."""
    session.add(row)
    session.flush()
    return row.id


def add_parts(session: Session, rows: Iterable[PartRow]) -> None:
    """Publish the tables beside a leaderboard; those beside earlier ones keep their digests only."""
    rows = list(rows)
    session.add_all(rows)
    older = PartRow.snapshot_id < min((row.snapshot_id for row in rows), default=0)
    session.execute(update(PartRow).where(and_(older, PartRow.payload.is_not(None))).values(payload=None))


def parts_of(session: Session, number: int) -> Sequence[PartRow]:
    """The tables beside one leaderboard, without their contents."""
    query = select(PartRow).options(defer(PartRow.payload)).where(PartRow.snapshot_id == number)
    return session.scalars(query.order_by(PartRow.category, PartRow.language, PartRow.kind)).all()


def newest_with_parts(session: Session) -> SnapshotRow | None:
    """The newest leaderboard that has tables beside it; a quick one has none yet."""
    number = session.scalar(select(func.max(PartRow.snapshot_id)))
    return None if number is None else session.get(SnapshotRow, number, options=[defer(SnapshotRow.payload)])


def part(session: Session, number: int, kind: str, category: str = "", language: str = "") -> PartRow | None:
    """One table beside a leaderboard."""
    return session.scalar(
        select(PartRow).where(
            PartRow.snapshot_id == number,
            PartRow.kind == kind,
            PartRow.category == category,
            PartRow.language == language,
        )
    )


def kept(session: Session) -> Sequence[int]:
    """The leaderboards that still have their tables: of every day and every recent hour the last, ascending."""
    made = SnapshotRow.created_at
    last_of_hour = select(func.max(SnapshotRow.id)).group_by(func.date(made), extract("hour", made))
    query = select(SnapshotRow.id).where(SnapshotRow.payload.is_not(None), SnapshotRow.id.in_(last_of_hour))
    return session.scalars(query.order_by(SnapshotRow.id)).all()
