"""Position up to which a numbered log can be read without missing a row that is committed later.

On SQLite rows are committed in the order of their numbers. On PostgreSQL a smaller number may be committed after a
larger one. There every insert into a log holds an advisory lock whose key is the log's newest number at that time, from
before its own number is drawn until the end of the transaction (a trigger created by the migrations takes it). The
smallest key held is the position up to which the log is settled. The lock is shared, so no insert waits for another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import func, select, text

from arena.adapters.store.locks import on_postgres

if TYPE_CHECKING:
    from sqlalchemy.orm import InstrumentedAttribute, Session

_UNFINISHED: Final = text(
    "SELECT min(objid::bigint) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2"
    " AND classid = to_regclass(:log)"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


def settled(session: Session, number: InstrumentedAttribute[int]) -> int:
    """The largest value of `number` up to which no row can appear any more; 0 for an empty log."""
    # In this order: a row below the newest one is either visible to later statements or its lock is still held.
    newest = session.scalar(select(func.max(number))) or 0
    if not on_postgres(session):
        return newest
    unfinished = session.scalar(_UNFINISHED, {"log": number.class_.__tablename__})
    return newest if unfinished is None else min(newest, unfinished)
