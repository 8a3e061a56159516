"""Two models against each other, and the table that any two can be compared by."""

from __future__ import annotations

from pydantic import Field

from arena.domain.schemas.base import Wire
from arena.domain.schemas.board_details import HistoryView
from arena.domain.schemas.leaderboard import LeaderboardRowView, SnapshotView
from arena.domain.schemas.models import MeetingView, ModelView
from arena.domain.schemas.shares import ListedBattleView


class PairErrorsView(Wire):
    """The standard errors of all differences on one board, with what else it takes to compare two of its models.

    Ratings and errors are in natural units (log-odds). `errors` are those of the pairs (0, 1), (0, 2), … (1, 2), … as
    little-endian 32-bit floats in base64, nan where they are not known.
    """

    votes: int
    level: float
    names: list[str]
    component: list[int]
    rating: list[float]
    freedom: list[float]
    design_effect: list[float]
    errors: str


class PairChanceView(Wire):
    """The first of two models against the second on one board; an empty category and language mean all.

    `chance` is that a vote between them is for the first, a tie being half a vote, with its 95 % interval; `better` is
    the chance that the first is the better one. After `more` further votes between them the interval would leave out
    one half, if the difference stays as it is: 0 if it does already, null for equals. All but `chance` are null where
    the votes of one person are all there is.
    """

    category: str = ""
    language: str = ""
    chance: float
    low: float | None
    high: float | None
    better: float | None
    more: int | None


class SharedOpponentView(Wire):
    """An opponent that both have met, with their battles against it and the shares of decided ones that they won."""

    opponent: str
    a_battles: int
    b_battles: int
    a_share: float | None
    b_share: float | None


class PairResultsView(Wire):
    """Two models with their facts, rows of the whole board, and what the votes say of the two.

    `boards` has the whole board of `snapshot`, then those of categories and languages on which battles connect them; it
    is empty where nothing does, and `computing` until the first votes are compared. `met` is the first one's record
    against the second; of the `opponents` that both met, `shared` has those with the most battles. `examples` are the
    newest battles between the two that their voters let everybody find.
    """

    a: ModelView
    b: ModelView
    a_row: LeaderboardRowView | None
    b_row: LeaderboardRowView | None
    computing: bool
    boards: list[PairChanceView]
    met: MeetingView | None
    opponents: int
    shared: list[SharedOpponentView]
    history: HistoryView
    examples: list[ListedBattleView] = Field(default_factory=list[ListedBattleView])
    snapshot: SnapshotView | None = None
