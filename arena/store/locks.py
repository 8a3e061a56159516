"""Locks for work that must not overlap and that no constraint can keep apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


def on_postgres(session: Session) -> bool:
    """Whether many write at once; on SQLite there is one writer."""
    return session.get_bind().dialect.name == "postgresql"


def clock(session: Session, now: datetime) -> datetime:
    """The moment that all processes agree on: that of the server, or `now` where there is one process."""
    return session.scalar(select(func.clock_timestamp())) or now if on_postgres(session) else now


def one_at_a_time(session: Session, what: str) -> None:
    """Wait until nobody else does `what`, and keep others out of it until this transaction ends."""
    if on_postgres(session):
        session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"arena {what}", 0))))
