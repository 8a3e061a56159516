"""Queries about stored leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from arena.store.tables import SnapshotRow

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


def newest(session: Session) -> SnapshotRow | None:
    """The leaderboard that is published now."""
    return session.scalar(select(SnapshotRow).order_by(SnapshotRow.id.desc()).limit(1))


def newest_id(session: Session) -> int:
    """Its number, 0 before the first one."""
    return session.scalar(select(func.max(SnapshotRow.id))) or 0


def add(session: Session, row: SnapshotRow) -> int:
    """Publish a leaderboard; returns its number."""
    session.add(row)
    session.flush()
    return row.id
