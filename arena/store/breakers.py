"""Which processes leave which endpoints alone, as each of them says; whoever has not said so lately does not count."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, func, or_, select

from arena.store.tables import BreakerRow

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

FRESH: Final = timedelta(seconds=30)
"""How long the word of a process holds; one that died has no more to say."""


@dataclass(frozen=True, slots=True)
class Opened:
    """How many processes leave an endpoint alone, and since when the first of them."""

    processes: int = 0
    since: datetime | None = None


def tell(session: Session, process: str, opened: Mapping[int, datetime], now: datetime) -> None:
    """Replace what a process has said before by the endpoints that it leaves alone now, and forget who is gone."""
    session.execute(delete(BreakerRow).where(or_(BreakerRow.process == process, BreakerRow.seen_at < now - FRESH)))
    session.add_all(
        BreakerRow(process=process, endpoint_id=number, since=since, seen_at=now) for number, since in opened.items()
    )


def opened(session: Session, now: datetime) -> dict[int, Opened]:
    """The endpoints that are left alone by any process."""
    query = (
        select(BreakerRow.endpoint_id, func.count(), func.min(BreakerRow.since))
        .where(BreakerRow.seen_at >= now - FRESH)
        .group_by(BreakerRow.endpoint_id)
    )
    return {number: Opened(count, since) for number, count, since in session.execute(query)}
