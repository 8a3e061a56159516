"""Advisory locks for work that must not overlap where no constraint prevents it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


def on_postgres(session: Session) -> bool:
    """Whether the database is PostgreSQL, with concurrent writers; SQLite has a single one."""
    return session.get_bind().dialect.name == "postgresql"


def clock(session: Session, now: datetime) -> datetime:
    """The time that all processes agree on: the server's, or `now` on SQLite."""
    return session.scalar(select(func.clock_timestamp())) or now if on_postgres(session) else now


def one_at_a_time(session: Session, what: str) -> None:
    """Hold an exclusive lock named `what` until this transaction ends."""
    if on_postgres(session):
        session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"arena {what}", 0))))
