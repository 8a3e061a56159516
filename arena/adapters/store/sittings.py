"""Queries about sittings that have ended before their cookies expire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.tables.people import EndedSittingRow

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy.orm import Session


def generations(session: Session) -> dict[str, int]:
    """Least valid generation by sitting or person, for those of whom something has ended."""
    rows = session.execute(select(EndedSittingRow.key, EndedSittingRow.generation)).all()
    return {row.key: row.generation for row in rows}


def generation(session: Session, key: str) -> int:
    """The least valid generation of a sitting or person."""
    return session.scalar(select(EndedSittingRow.generation).where(EndedSittingRow.key == key)) or 0


def end(session: Session, keys: Iterable[str], now: datetime, until: datetime) -> None:
    """End what is there of these sittings and persons, and forget the ends before `now`, whose cookies have expired."""
    one_at_a_time(session, "end sittings")
    session.execute(delete(EndedSittingRow).where(EndedSittingRow.until < now))
    for key in keys:
        row = session.get(EndedSittingRow, key) or EndedSittingRow(key=key, generation=0, until=until)
        row.generation, row.until = row.generation + 1, until
        session.add(row)
