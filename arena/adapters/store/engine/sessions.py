"""Functions of a session that differ between the databases: locks, clock, upserts, settled end of a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import func, select, text
from sqlalchemy.dialects import sqlite

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.dialects import postgresql
    from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, Session


def on_postgres(session: Session) -> bool:
    """Whether the database is PostgreSQL, with concurrent writers; SQLite has only one."""
    return session.get_bind().dialect.name == "postgresql"


def clock(session: Session, now: datetime) -> datetime:
    """The common time of all processes: that of the PostgreSQL server, or `now` on SQLite."""
    return session.scalar(select(func.clock_timestamp())) or now if on_postgres(session) else now


def one_at_a_time(session: Session, what: str) -> None:
    """Hold the exclusive lock `what` until the end of this transaction; SQLite needs none."""
    if on_postgres(session):
        session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"arena {what}", 0))))


def upsert(session: Session, table: type[DeclarativeBase]) -> sqlite.Insert | postgresql.Insert:
    """An insert with `on_conflict_…` in the dialect of the session's database."""
    if not on_postgres(session):
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)


_UNFINISHED: Final = text(
    "SELECT min(objid::bigint) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2"
    " AND classid = to_regclass(:log)"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


def settled(session: Session, number: InstrumentedAttribute[int]) -> int:
    """The largest value of `number` up to which no row can appear any more; 0 for an empty log.

    On SQLite rows are committed in the order of their numbers; on PostgreSQL a smaller number may be committed after a
    larger one. There a trigger takes a shared advisory lock for every insert into a log, before its number is drawn and
    until the end of the transaction. Its key is the log's newest number at that time, so the smallest key is the number
    up to which the log is settled. No insert waits for another.
    """
    # In this order: a row below the newest one is visible to the second statement, or its lock is.
    newest = session.scalar(select(func.max(number))) or 0
    if not on_postgres(session):
        return newest
    unfinished = session.scalar(_UNFINISHED, {"log": number.class_.__tablename__})
    return newest if unfinished is None else min(newest, unfinished)
