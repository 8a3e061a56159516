"""Open circuit breakers as reported by each process; reports that are not fresh are ignored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, func, or_, select

from arena.adapters.store.tables import BreakerRow

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

FRESH: Final = timedelta(seconds=30)
"""How long a report is valid; a process that died sends none."""


@dataclass(frozen=True, slots=True)
class Opened:
    """Number of processes whose breaker for an endpoint is open, and when the first of them opened."""

    processes: int = 0
    since: datetime | None = None


def tell(session: Session, process: str, opened: Mapping[int, datetime], now: datetime, *, chats: bool) -> None:
    """Replace a process's report by its breakers that are open now, and delete stale reports."""
    session.execute(delete(BreakerRow).where(or_(BreakerRow.process == process, BreakerRow.seen_at < now - FRESH)))
    session.add_all(
        BreakerRow(process=process, endpoint_id=number, chats=chats, since=since, seen_at=now)
        for number, since in opened.items()
    )


def opened(session: Session, now: datetime, *, chats: bool) -> dict[int, Opened]:
    """The endpoints with an open breaker in any process, for battles or for chats."""
    query = (
        select(BreakerRow.endpoint_id, func.count(), func.min(BreakerRow.since))
        .where(BreakerRow.seen_at >= now - FRESH, BreakerRow.chats == chats)
        .group_by(BreakerRow.endpoint_id)
    )
    return {number: Opened(count, since) for number, count, since in session.execute(query)}
