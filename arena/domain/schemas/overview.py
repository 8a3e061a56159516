"""All boards in one table: the ranks of each model on each board, and the rank that it had a week ago."""

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
    """A model's rank on a board, the ranks that hold for all models at once, and its battles there.

    Ranks are within the `component`, the models that have met, directly or through others.
    """

    rank: int
    low: int
    high: int
    battles: int
    component: int = 0


class OverviewRowView(Wire):
    """A model with its places, null where it has none.

    `before` and `battles_before` are its rank and battles on the whole board at `since`, null if it was not there.
    """

    name: str
    owner: str
    demo: bool = False
    before: int | None = None
    battles_before: int | None = None
    places: list[OverviewPlaceView | None]


class OverviewView(Wire):
    """The newest boards, the whole one first, and their models as that one ranks them.

    `since` is the time of the newest kept snapshot that was at least a week older, null where there is none.
    """

    snapshot: SnapshotView | None
    since: datetime | None = None
    boards: list[OverviewBoardView]
    rows: list[OverviewRowView]
