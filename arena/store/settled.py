"""How far a numbered log can be read without missing a row that is committed later.

On SQLite rows are committed in the order of their numbers. On PostgreSQL a smaller number may be committed after a
larger one. There whoever inserts into a log holds, from before the number is drawn until the end of the transaction, a
lock that is named by the newest number of that moment (a trigger of the migrations takes it), so the smallest of these
names is how far the log is settled. Nobody waits for anybody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import func, select, text

from arena.store.locks import on_postgres

if TYPE_CHECKING:
    from sqlalchemy.orm import InstrumentedAttribute, Session

_UNFINISHED: Final = text(
    "SELECT min(objid::bigint) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2"
    " AND classid = to_regclass(:log)"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


def settled(session: Session, number: InstrumentedAttribute[int]) -> int:
    """The largest value of `number` up to which every later statement sees all the rows there will be; 0 for none."""
    # In this order: a row below the newest one is either there for later readers or its lock is still seen.
    newest = session.scalar(select(func.max(number))) or 0
    if not on_postgres(session):
        return newest
    unfinished = session.scalar(_UNFINISHED, {"log": number.class_.__tablename__})
    return newest if unfinished is None else min(newest, unfinished)
