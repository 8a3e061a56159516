"""The ballot: a vote as its voter hands it in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.adapters.limits import UNBOUNDED
from arena.domain.terms import Client

if TYPE_CHECKING:
    from datetime import datetime

    from arena.adapters.limits import Bounds
    from arena.domain.terms import Neighbourhood, Outcome, Voter


@dataclass(frozen=True, slots=True)
class Ballot:
    """A vote as its voter hands it in.

    `key` is the caller's Idempotency-Key: the same key with the same outcome gives the same answer again.
    """

    voter: Voter
    battle_id: str
    outcome: Outcome
    key: str | None
    now: datetime
    bounds: Bounds = UNBOUNDED
    client: Client = Client.PROGRAM

    @property
    def voter_and_key(self) -> tuple[str, str] | None:
        """The pair that one vote may have; None without an Idempotency-Key."""
        return (self.voter.key, self.key) if self.key else None

    @property
    def network(self) -> str:
        """The digest of the neighbourhood that the vote's origin is stored with."""
        return self.bounds.origin(self.voter, self.now)

    @property
    def place(self) -> Neighbourhood:
        """The neighbourhood and the day that the vote is counted in."""
        return self.bounds.place(self.voter, self.now)
