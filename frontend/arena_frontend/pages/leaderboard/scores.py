"""Scores that a board can be ranked by: how they are written, and the colours of its bands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena_frontend.charts.intervals import score_ends
from arena_frontend.figures import cents, percent, whole
from arena_frontend.pages.leaderboard.selection import young

if TYPE_CHECKING:
    from arena.domain.schemas.leaderboard import LeaderboardRowView
    from arena_frontend.charts.intervals import Ends
    from arena_frontend.pages.leaderboard.lines import Line
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
_COLOURS: Final = (0, 5, 2, 4, 1, 6, 3, 7)
"""Colours of the bands from the top; the last is that of all further ones."""


def band_colour(band: int) -> int:
    """Return the colour of a band, which are numbered from 1."""
    return _COLOURS[min(band, len(_COLOURS)) - 1]


def lacks_interval(row: LeaderboardRowView) -> bool:
    """Whether the score of a readable row has no interval to show."""
    return row.score_low is None or row.score_high is None


def scale_of(lines: Sequence[Line], kind: ScoreKind) -> Ends:
    """The scale of ranked models; newcomers, whose intervals would squeeze all others, may lie outside."""
    ranked = [line.row for line in lines if not (young(line) or lacks_interval(line.row))]
    return score_ends(ranked or [line.row for line in lines], kind.least)


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
