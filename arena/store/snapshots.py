"""Queries about stored leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select, update

from arena.store.tables import SnapshotRow

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


def newest(session: Session) -> SnapshotRow | None:
    """The leaderboard that is published now."""
    return session.scalar(select(SnapshotRow).order_by(SnapshotRow.id.desc()).limit(1))


def newest_id(session: Session) -> int:
    """Its number, 0 before the first one."""
    return session.scalar(select(func.max(SnapshotRow.id))) or 0


def by_id(session: Session, number: int) -> SnapshotRow | None:
    """One leaderboard, whether or not it still has its table."""
    return session.get(SnapshotRow, number)


def drop_tables(session: Session, before: datetime) -> int:
    """Empty the tables of snapshots from before, but for the last one of each day; returns how many."""
    last_of_day = select(func.max(SnapshotRow.id)).group_by(func.date(SnapshotRow.created_at))
    dropped = session.execute(
        update(SnapshotRow)
        .where(SnapshotRow.created_at < before, SnapshotRow.payload.is_not(None), SnapshotRow.id.not_in(last_of_day))
        .values(payload=None)
        .returning(SnapshotRow.id)
    )
    return len(dropped.all())


def add(session: Session, row: SnapshotRow) -> int:
    """Publish a leaderboard; returns its number."""
    session.add(row)
    session.flush()
    return row.id
