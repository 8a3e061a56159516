"""Votes that are to be cast, for the process of the visitors: it imports nothing of the arena."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

CROWD: Final = 32
"""Neighbourhoods that vote at the same time."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """A vote that is to be cast: by whom, and from which neighbourhood."""

    battle: str
    cookie: str
    outcome: str
    network: int
