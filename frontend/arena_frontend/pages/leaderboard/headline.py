"""The first words of a board: who leads, which places are tied or contested, the best three, and who moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena_frontend.figures import whole
from arena_frontend.pages.leaderboard.lines import Line, bands, sort_by_rank
from arena_frontend.pages.leaderboard.selection import young

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from arena.domain.schemas.overview import OverviewView
    from arena_frontend.texts import Texts

PODIUM: Final = 3


@dataclass(frozen=True)
class Moves:
    """Places that models have moved up at least, those that went down below zero, since a time."""

    since: datetime | None
    places: dict[str, int]


def moves(table: OverviewView | None) -> Moves:
    """Return how far models have moved on the whole board; nothing while there is no board of a week ago."""
    if table is None or table.since is None:
        return Moves(None, {})
    return Moves(table.since, {row.name: row.moved for row in table.rows if row.moved})


def ranked_lines(lines: list[Line]) -> list[Line]:
    """Return the lines of the largest group without newcomers, the best first."""
    return [line for line in sort_by_rank(lines) if line.row.component == 0 and not young(line)]


def headline(words: Texts, lines: list[Line]) -> str:
    """Say who leads and which places the votes cannot tell apart; empty where there are not two ranked models."""
    ranked = ranked_lines(lines)
    if len(ranked) < 2:  # one alone leads nobody
        return ""
    band = bands(ranked)
    sizes = [list(band.values()).count(number) for number in (1, 2)]
    name = ranked[0].row.name
    if sizes[0] > 1:
        return words.fill("board.headline.tied", name=name, last=ranked[0].row.rank_high)
    if sizes[1] > 1:
        return words.fill("board.headline.leads", name=name, second=ranked[1].row.name, last=ranked[1].row.rank_high)
    return words.fill("board.headline.alone", name=name, second=ranked[1].row.name)


def contested(words: Texts, models: Mapping[str, float | None]) -> str:
    """Say which models are contested, and by how many points where that is known."""
    names = [
        name if points is None else words.fill("board.contested.model", model=name, points=whole(points))
        for name, points in models.items()
    ]
    return words.fill("board.contested", models=words.listed(names))
