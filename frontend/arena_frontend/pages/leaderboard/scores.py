"""Scores that a board can be ranked by: how they are written, and the colours of its bands."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena_frontend.figures import cents, percent, whole

if TYPE_CHECKING:
    from arena.domain.schemas.leaderboard import LeaderboardRowView
    from arena_frontend.texts import Texts


@dataclass(frozen=True)
class ScoreKind:
    """A score: its name in an address, the column that has it, how it is written, and the least margin of its scale."""

    by: str
    column: str
    written: Callable[[float], str]
    least: float


SCORES: Final = {
    kind.by: kind
    for kind in (
        ScoreKind("bt", "bt", whole, 10),
        ScoreKind("elo", "elo", whole, 10),
        ScoreKind("points", "ppb", cents, 0.01),
        ScoreKind("win", "win", percent, 0.01),
    )
}
WIDEST: Final = 1000.0
"""Points of an interval beyond which it says nothing: its ends differ like models of which one loses 3 of 1,000."""
_COLOURS: Final = (0, 5, 2, 4, 1, 6, 3, 7)
"""Colours of the bands from the top; the last is that of all further ones."""


def band_colour(band: int) -> int:
    """Return the colour of a band, which are numbered from 1."""
    return _COLOURS[min(band, len(_COLOURS)) - 1]


def missing_votes(row: LeaderboardRowView, by: str) -> int:
    """Return about how many more votes a rating needs before its interval says something; 0 if it does, or has none.

    Intervals shrink with the root of the votes.
    """
    low, high = (getattr(row, f"{by}{end}", None) for end in ("_low", "_high"))
    if by not in {"bt", "elo"} or low is None or high is None:
        return 0
    return max(0, math.ceil(row.battles * (((high - low) / WIDEST) ** 2 - 1)))


@dataclass(frozen=True)
class ScoreLink:
    """A link to the same board ranked by a score."""

    by: str
    name: str
    href: str
    current: bool


def score_links(words: Texts, address: Callable[..., str], current: str) -> list[ScoreLink]:
    """Return the switch of scores; another score begins with its own ranks."""
    return [ScoreLink(by, words[f"by.{by}"], address(by=by, sort="rank"), by == current) for by in SCORES]
