"""Calendar weeks (UTC), identified by their Mondays."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta


def week_of(moment: datetime) -> date:
    """The Monday of a moment's week (UTC)."""
    day = moment.astimezone(UTC).date()
    return day - timedelta(days=day.weekday())
