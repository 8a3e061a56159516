"""Retention of origins: the keys of neighbourhoods are deleted once their week began 30 days ago."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.store import neighbourhoods
from arena.domain.weeks import week_of

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database

RETENTION: Final = timedelta(days=30)
WEEK: Final = timedelta(days=7)


def start_of(week: date) -> datetime:
    """The start (UTC) of the week with this Monday."""
    return datetime.combine(week, time(), UTC)


async def drop_keys(database: Database, now: datetime) -> int:
    """Delete the keys of every week that began 30 days ago or earlier; returns the number of keys."""
    count = 0
    while oldest := await database.read(neighbourhoods.oldest_key):
        start = start_of(week_of(oldest))
        if start + RETENTION > now:
            break
        count += await database.write(neighbourhoods.drop_keys, start, start + WEEK)
    return count
