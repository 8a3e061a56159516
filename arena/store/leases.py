"""Who does what only one process may do, for as long as it says that it lives.

Each change of hands raises the epoch. Whoever was away too long still believes in its lease, so what it writes is
checked against the epoch in the same transaction.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from arena.store.locks import clock, one_at_a_time
from arena.store.tables import LeaseRow

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


class Superseded(Exception):
    """Another process has taken the lease."""


def take(session: Session, name: str, holder: str, now: datetime, seconds: float) -> int | None:
    """Take or renew a lease; returns its epoch, or None while another one holds it."""
    one_at_a_time(session, f"lease {name}")
    now = clock(session, now)
    row = session.get(LeaseRow, name, populate_existing=True)
    if row is None:
        row = LeaseRow(name=name, epoch=0, holder="", until=now)
        session.add(row)
    if row.holder != holder:
        if row.until > now:
            return None
        row.epoch, row.holder = row.epoch + 1, holder
    row.until = now + timedelta(seconds=seconds)
    return row.epoch


def release(session: Session, name: str, holder: str, now: datetime) -> None:
    """Let the next one take it at once."""
    one_at_a_time(session, f"lease {name}")
    row = session.get(LeaseRow, name, populate_existing=True)
    if row is not None and row.holder == holder:
        row.until = clock(session, now)


def check(session: Session, name: str, epoch: int) -> None:
    """Let this transaction through if no other process has taken the lease, and none until it ends.

    Raises:
        Superseded: One has.
    """
    one_at_a_time(session, f"lease {name}")
    row = session.get(LeaseRow, name, populate_existing=True)
    if row is None or row.epoch != epoch:
        raise Superseded
