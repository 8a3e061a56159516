"""The weeks of a release: each week (Monday to Sunday, UTC) belongs to one release for ever.

The public log names a voter by the day and a neighbourhood by the week. Both would join the names that two releases
give one person, if votes of one week were in both; so would a conversation that is in both.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.store import releases as stored
from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.releases import Period
from arena.domain.errors import Conflict, Invalid

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.operations import ReleaseRow

DELAY: Final = timedelta(days=30)
"""Time that a voter has to withdraw a conversation before it is in a release."""
_WEEK: Final = timedelta(days=7)


def next_period(session: Session, now: datetime) -> Period:
    """The complete weeks that are in no published release and whose votes are old enough.

    Raises:
        Invalid: There is none.
    """
    since, until = stored.released_until(session), _monday(now - DELAY)
    if until <= since:
        day = (since + _WEEK + DELAY).date()
        raise Invalid(f"Every week that is old enough is in a release; the next one can be built from {day}.")
    return Period(since, until)


def check_period(session: Session, row: ReleaseRow) -> None:
    """Refuse a release whose weeks another one has taken, until this transaction ends.

    Raises:
        Conflict: Another release was published since this one was built.
    """
    one_at_a_time(session, "publish a release")
    if stored.released_until(session) != row.since:
        raise Conflict(f"Another release was published since release {row.name} was built; build it again.")


def _monday(moment: datetime) -> datetime:
    """The beginning of the week (UTC) that a time is in."""
    day = moment.astimezone(UTC).date()
    return datetime.combine(day - timedelta(days=day.weekday()), time(), UTC)
