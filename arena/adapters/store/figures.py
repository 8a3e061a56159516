"""Queries about the published figures of endpoints' battles."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, func, select

from arena.adapters.store.tables import BattleRow, FiguresRow
from arena.domain.terms import BattleState

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy.orm import Session

OLDEST: Final = timedelta(days=2)
"""Age that no open battle reaches while a worker runs; a battle that ends later is not counted."""


def last(session: Session) -> datetime | None:
    """Time up to which the published figures include battles; None before the first ones."""
    return session.scalar(select(func.max(FiguresRow.as_of)))


def of(session: Session, endpoint_id: int) -> FiguresRow | None:
    """The published figures of one endpoint."""
    return session.get(FiguresRow, endpoint_id)


def replace(session: Session, rows: Iterable[FiguresRow]) -> None:
    """Replace all published figures."""
    session.execute(delete(FiguresRow))
    session.add_all(rows)


def battles_ended(session: Session, after: datetime | None, until: datetime) -> int:
    """Number of battles that ended after `after` and by `until`, with or without a vote."""
    over = [state for state in BattleState if state is not BattleState.OPEN]
    query = select(func.count()).select_from(BattleRow).where(BattleRow.state.in_(over), BattleRow.ended_at <= until)
    if after is not None:
        query = query.where(BattleRow.ended_at > after, BattleRow.created_at > after - OLDEST)
    return session.scalar(query) or 0
