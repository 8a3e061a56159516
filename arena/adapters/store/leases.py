"""Leases for work that only one process may do, renewed while the process lives.

Each change of holder increments the epoch, the fencing token. A holder that stalled may not know that its lease has
ended, so its writes check the epoch in the same transaction.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from arena.adapters.store.engine.sessions import clock, one_at_a_time
from arena.adapters.store.tables.operations import LeaseRow

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime
    from typing import TypeAlias

    from sqlalchemy.orm import Session

    Guard: TypeAlias = Callable[[Session], None]
    """A check in a writing transaction, which saves nothing if it raises."""


class Superseded(Exception):
    """Another process has taken the lease."""


def unguarded(_session: Session) -> None:
    """The guard without a check, for a single process."""


def take(session: Session, name: str, holder: str, now: datetime, seconds: float) -> int | None:
    """Take or renew a lease; returns its epoch (fencing token), or None while another process holds it."""
    one_at_a_time(session, f"lease {name}")
    now = clock(session, now)
    row = session.get(LeaseRow, name, populate_existing=True)
    if row is None:
        row = LeaseRow(name=name, epoch=0, holder="", until=now)
        session.add(row)
    if row.holder != holder:
        # One that lasts longer than a lease is from before the clock was set back; its holder may be gone.
        if now < row.until <= now + timedelta(seconds=seconds):
            return None
        row.epoch, row.holder = row.epoch + 1, holder
    row.until = now + timedelta(seconds=seconds)
    return row.epoch


def release(session: Session, name: str, holder: str, now: datetime) -> None:
    """Release a lease, so that another process can take it at once."""
    one_at_a_time(session, f"lease {name}")
    row = session.get(LeaseRow, name, populate_existing=True)
    if row is not None and row.holder == holder:
        row.until = clock(session, now)


def end_of(session: Session, name: str) -> datetime | None:
    """The time at which a lease ends unless it is renewed; None if nobody ever took it."""
    return session.scalar(select(LeaseRow.until).where(LeaseRow.name == name))


def expired(session: Session, names: Collection[str], now: datetime) -> set[str]:
    """The leases of these names that have ended; one that nobody ever took has not."""
    query = select(LeaseRow.name).where(LeaseRow.name.in_(names), LeaseRow.until <= clock(session, now))
    return set(session.scalars(query))


def forget_before(session: Session, prefix: str, moment: datetime) -> None:
    """Delete the leases with this prefix that ended before `moment`."""
    session.execute(delete(LeaseRow).where(LeaseRow.name.startswith(prefix, autoescape=True), LeaseRow.until < moment))


def check(session: Session, name: str, epoch: int) -> None:
    """Check the fencing token, and keep other processes from taking the lease until this transaction ends.

    Raises:
        Superseded: Another process has taken the lease.
    """
    one_at_a_time(session, f"lease {name}")
    row = session.get(LeaseRow, name, populate_existing=True)
    if row is None or row.epoch != epoch:
        raise Superseded
