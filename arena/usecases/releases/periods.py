"""The weeks of a release: each week (Monday to Sunday, UTC) belongs to one release for ever.

The public log has pseudonyms of voters that last a day, and of neighbourhoods that last a week. If votes of one week
were in two releases, these would link the pseudonyms of a person in both; so would a conversation that is in both.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.store import releases as stored
from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.releases import Period
from arena.domain.errors import Conflict, Invalid
from arena.domain.weeks import week_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.operations import ReleaseRow

DELAY: Final = timedelta(days=30)
"""Minimum age of a vote in a release, in which its voter can withdraw the conversation."""
_WEEK: Final = timedelta(days=7)


def next_period(session: Session, now: datetime) -> Period:
    """The complete weeks that are in no published release and have reached the age of `DELAY`.

    Raises:
        Invalid: There is none.
    """
    since, until = stored.released_until(session), datetime.combine(week_of(now - DELAY), time(), UTC)
    if until <= since:
        day = (since + _WEEK + DELAY).date()
        raise Invalid(f"Every week that is old enough is in a release; the next one can be built from {day}.")
    return Period(since, until)


def check_period(session: Session, row: ReleaseRow) -> None:
    """Check that no other release has the weeks of this one; holds until the transaction ends.

    Raises:
        Conflict: Another release was published since this one was built.
    """
    one_at_a_time(session, "publish a release")
    if stored.released_until(session) != row.since:
        raise Conflict(f"Another release was published since release {row.name} was built; build it again.")
