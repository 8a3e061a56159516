"""All boards in one table: the rank of each model on each board, and its rank a week ago."""

from __future__ import annotations

from datetime import datetime

from arena.domain.schemas.base import Wire
from arena.domain.schemas.leaderboard import SnapshotView


class OverviewBoardView(Wire):
    """A column: a board with its votes; an empty category and language mean all."""

    category: str = ""
    language: str = ""
    votes: int


class OverviewPlaceView(Wire):
    """A model's rank on a board, its rank bounds (valid for all models at once), and its battles there.

    Ranks are within the `component`, models connected by battles.
    """

    rank: int
    low: int
    high: int
    battles: int
    component: int = 0


class OverviewRowView(Wire):
    """A model with its places by board, null where it is absent.

    `before` and `battles_before` are its rank and battles on the whole board at `since`, null if it was absent.
    `moved` is how many places it has moved up at least since then, below zero down: the places between the rank bounds
    of both boards; 0 if the bounds meet, or if either is not valid at all looks or of another group than the largest.
    """

    name: str
    owner: str
    demo: bool = False
    before: int | None = None
    battles_before: int | None = None
    moved: int = 0
    places: list[OverviewPlaceView | None]


class OverviewView(Wire):
    """The newest boards, the whole one first, and their models in its order.

    `since` is the time of the newest stored snapshot that is at least a week older, or null.
    """

    snapshot: SnapshotView | None
    since: datetime | None = None
    boards: list[OverviewBoardView]
    rows: list[OverviewRowView]
