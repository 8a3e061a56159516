"""A model in one glance: its ranks, the boards of its highest and lowest, and what has changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena_frontend.figures import whole
from arena_frontend.pages.leaderboard.selection import PROVISIONAL_BATTLES

if TYPE_CHECKING:
    from arena.domain.schemas.leaderboard import LeaderboardRowView, LeaderboardView
    from arena.domain.schemas.models import ModelResultsView
    from arena.domain.schemas.overview import OverviewView
    from arena_frontend.texts import Texts

_FEWEST: Final = 2


@dataclass(frozen=True)
class Strength:
    """A capability, the rank on its board, and of how many."""

    name: str
    category: str
    rank: int
    count: int

    @property
    def share(self) -> float:
        """The share of models that are not behind it."""
        return self.rank / self.count


@dataclass(frozen=True)
class VersionChange:
    """The version before, and by how many points this one is rated above it."""

    name: str
    points: float


def strengths(words: Texts, table: OverviewView | None, name: str) -> list[Strength]:
    """Return the capabilities of a model from its highest rank, among so many, to its lowest; none if all are alike."""
    row_of_model = next((row for row in table.rows if row.name == name), None) if table else None
    if table is None or row_of_model is None:
        return []
    result: list[Strength] = []
    for number, board in enumerate(table.boards):
        place = row_of_model.places[number]
        if board.category and place and not place.component and place.battles >= PROVISIONAL_BATTLES:
            others = [other for row in table.rows if (other := row.places[number])]
            count = sum(other.component == place.component for other in others)
            result.append(Strength(words.board(board.category, ""), board.category, place.rank, count))
    result.sort(key=lambda strength: (strength.share, strength.name))
    return result if len(result) >= _FEWEST and result[0].share < result[-1].share else []


def battles_of_week(table: OverviewView | None, row: LeaderboardRowView | None) -> int | None:
    """Return the battles since last week, None while there is no board of then."""
    if table is None or row is None or table.since is None:
        return None
    before = next((entry.battles_before for entry in table.rows if entry.name == row.name), None)
    return row.battles - (before or 0)


def version_change(model: ModelResultsView, board: LeaderboardView | None) -> VersionChange | None:
    """Return how this version is rated against the one before; None where one of them has no rating in this group."""
    rows = {row.name: row for row in board.rows} if board else {}
    version_of_model = next((version for version in model.versions if version.name == model.name), None)
    earlier = [version for version in model.versions if version_of_model and version.version < version_of_model.version]
    if not earlier:
        return None
    last = max(earlier, key=lambda version: version.version)
    ours, theirs = rows.get(model.name), rows.get(last.name)
    if ours is None or theirs is None or ours.component != theirs.component:
        return None
    return VersionChange(last.name, ours.bt - theirs.bt) if ours.bt is not None and theirs.bt is not None else None


def summary(words: Texts, row: LeaderboardRowView | None, count: int, best: list[Strength]) -> str:
    """Say what a link preview shows: the ranks that the votes allow, and where it ranks highest and lowest."""
    if row is None or row.component:
        return ""
    key = "model.glance.sure" if row.rank_low == row.rank_high else "model.glance.ranks"
    sentence = words.fill(key, name=row.name, low=row.rank_low, high=row.rank_high, count=count)
    return f"{sentence} {words.fill('model.glance.best', best=best[0].name, worst=best[-1].name)}" if best else sentence


def contested(words: Texts, board: LeaderboardView | None, name: str) -> str:
    """Say that the model is contested and by how many points; empty if it is not."""
    if board is None or name not in board.contested:
        return ""
    points = board.contested[name]
    if points is None:
        return words.fill("gate.told.undecided", model=name)
    return words.fill("gate.told.contested", model=name, points=whole(points))
