"""The table of votes weighted by inverse probability."""

from __future__ import annotations

from arena.domain.schemas.base import Wire
from arena.domain.schemas.beside import BesideRow


class WeightedRow(BesideRow):
    """One competitor's Bradley-Terry rating as if all pairs had been drawn alike, and the usual one (`plain`)."""


class WeightedStandings(Wire):
    """The fit of all votes whose pair was drawn with a known probability, each weighted by its inverse."""

    votes: int
    rows: list[WeightedRow]
