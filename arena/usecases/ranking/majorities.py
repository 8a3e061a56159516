"""The majorities of a snapshot: whether one model beats all others, and how often three beat each other in a circle."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from arena.domain.schemas import MajoritiesView
from arena_rating import majorities as found
from arena_rating import pair_counts

if TYPE_CHECKING:
    from arena_rating import Comparisons

_CIRCLE: Final = 3


def majorities(log: Comparisons) -> MajoritiesView | None:
    """The majorities; None for fewer models than a circle takes."""
    if len(log.names) < _CIRCLE:
        return None
    return MajoritiesView(votes=len(log), **asdict(found(pair_counts(log))))
