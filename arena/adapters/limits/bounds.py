"""Daily bounds (UTC) per neighbourhood of addresses, and the minimum reading time of counted votes.

The counts are in the database, so that losing Redis does not reset them. A bound of 0 means none.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Final

from arena.adapters.limits.rules import neighbourhood
from arena.domain.errors import TooFewVotes, TooManyBattles
from arena.domain.privacy.keyed_digest import remembered_digest
from arena.domain.terms import Neighbourhood

if TYPE_CHECKING:
    from arena.domain.terms import Voter


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds for each neighbourhood.

    Attributes:
        secret: HMAC key of the digests under which neighbourhoods are counted; random by default.
        battles: Most battles that begin in a day.
        votes: Most votes of a day that count; later ones are stored and not counted.
        abandoned: Largest share of a day's battles without a vote; above it no battle begins.
        abandoned_from: Number of a day's battles from which the share is checked.
        reading_speed: Fastest plausible reading in characters per second; a faster vote is not counted.
        alarm_votes: Number of a day's votes from which the operator is warned if most are of one neighbourhood.
        bot_check: Whether votes without the bot check of the day are stored and not counted.
    """

    secret: bytes = field(default_factory=partial(secrets.token_bytes, 32), repr=False)
    battles: int = 0
    votes: int = 0
    abandoned: float = 0.0
    abandoned_from: int = 1_000
    reading_speed: float = 0.0
    alarm_votes: int = 0
    bot_check: bool = False

    def place(self, voter: Voter, now: datetime) -> Neighbourhood:
        """The voter's neighbourhood today (UTC), under which battles and votes are counted."""
        day = now.astimezone(UTC).date()
        text = f"neighbourhood {day} {neighbourhood(voter.address)}"
        return Neighbourhood(day, _digest(self.secret, text))

    def origin(self, voter: Voter, now: datetime) -> str:
        """The voter's neighbourhood for the origin of a vote: a keyed digest that lasts a calendar week (UTC)."""
        year, week, _ = now.astimezone(UTC).isocalendar()
        text = f"origin {year}-W{week:02} {neighbourhood(voter.address)}"
        return _digest(self.secret, text)

    def check(self, battles: int, voted: int, now: datetime) -> None:
        """Check that a new battle may begin, given the day's `battles` including it and those `voted` on.

        Raises:
            TooManyBattles, TooFewVotes: It may not; both have the seconds until the end of the day.
        """
        earlier = battles - 1
        if self.battles and earlier >= self.battles:
            raise TooManyBattles(retry_after=_seconds_to_midnight(now))
        if self.abandoned and earlier >= self.abandoned_from and earlier - voted > self.abandoned * earlier:
            raise TooFewVotes(retry_after=_seconds_to_midnight(now))

    def counts(self, number: int) -> bool:
        """Whether the day's vote number `number` counts."""
        return not self.votes or number <= self.votes


UNBOUNDED: Final = Bounds()


def _digest(secret: bytes, text: str) -> str:
    """128 bits of the keyed digest, cached since all acts of a neighbourhood have the same text for a day or a week."""
    return remembered_digest(secret, text)[:32]


def _seconds_to_midnight(now: datetime) -> int:
    """Seconds until the end of the day (UTC)."""
    midnight = datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time(), UTC)
    return ceil((midnight - now).total_seconds())
