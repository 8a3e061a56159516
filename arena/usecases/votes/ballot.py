"""The ballot: a vote as its voter hands it in."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.limits import UNBOUNDED
from arena.domain.schemas.votes import ANY_ANSWERS, ShownAnswers
from arena.domain.terms import Client

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from arena.adapters.limits import Bounds
    from arena.domain.terms import Neighbourhood, Outcome, Side, Voter

REMEMBERED: Final = 4
"""Weeks, this one included, by whose digests a neighbourhood is recognised."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """A vote as its voter hands it in.

    `key` is the Idempotency-Key of the request: the same key with the same outcome gets the same answer again. `seen`
    is the text of running web pages as the voter's browser reports it; it can only keep this vote from counting.
    `shown` says which answers the voter judges; a vote on others is refused.
    """

    voter: Voter
    battle_id: str
    outcome: Outcome
    key: str | None
    now: datetime
    bounds: Bounds = UNBOUNDED
    client: Client = Client.PROGRAM
    seen: Mapping[Side, str] = field(default_factory=dict["Side", str])
    shown: ShownAnswers = ANY_ANSWERS

    @property
    def voter_and_key(self) -> tuple[str, str] | None:
        """The pair that is unique among votes; None without an Idempotency-Key."""
        return (self.voter.key, self.key) if self.key else None

    @property
    def networks(self) -> list[str]:
        """Digests of the vote's neighbourhood: this week's, which its origin stores, and those of the weeks before.

        A neighbourhood without a vote in `REMEMBERED` weeks counts as new.
        """
        return [self.bounds.origin(self.voter, self.now - timedelta(weeks=week)) for week in range(REMEMBERED)]

    @property
    def place(self) -> Neighbourhood:
        """The neighbourhood and the day that the vote is counted in."""
        return self.bounds.place(self.voter, self.now)
