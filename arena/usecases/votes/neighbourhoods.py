"""Shares of a day's votes by neighbourhood: operators are warned if one has more than half of them."""

from __future__ import annotations

import logging
from datetime import UTC
from typing import TYPE_CHECKING, Final

from arena.adapters.observability import metrics
from arena.adapters.store import neighbourhoods as stored
from arena.adapters.store.engine.transactions import read_transaction
from arena.domain.schemas.status import NeighbourhoodsView

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database

ALARM_SHARE: Final = 0.5
"""Share of a day's votes above which an alarm is raised."""

log = logging.getLogger(__name__)


@read_transaction
def today(session: Session, least: int, now: datetime) -> NeighbourhoodsView:
    """This day's (UTC) votes and the largest share of a neighbourhood; no alarm below `least` votes or if it is 0."""
    day = now.astimezone(UTC).date()
    result = stored.day(session, day)
    share = result.most_votes / result.votes if result.votes else 0.0
    return NeighbourhoodsView(
        day=day,
        neighbourhoods=result.neighbourhoods,
        battles=result.battles,
        votes=result.votes,
        most_votes=result.most_votes,
        share=share,
        alarm=0 < least <= result.votes and share > ALARM_SHARE,
    )


async def watch(database: Database, least: int, now: datetime) -> None:
    """Set the metric, and log one warning on each day with an alarm."""
    view = await today(database, least, now)
    metrics.NEIGHBOURHOOD.set(view.share if view.alarm else 0)
    if view.alarm and await database.write(stored.warn, view.day):
        log.warning(
            "%.0f %% of today's %d votes that pass all other checks come from one neighbourhood of addresses:"
            " one person, one school, or a proxy in front while ARENA_TRUSTED_HOPS is 0",
            100 * view.share,
            view.votes,
        )
