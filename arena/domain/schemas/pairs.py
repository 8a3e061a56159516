"""Comparison of two models, and the table of standard errors for any two."""

from __future__ import annotations

from typing import Final

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from arena.domain.schemas.base import Wire
from arena.domain.schemas.board_details import HistoryView
from arena.domain.schemas.leaderboard import LeaderboardRowView, SnapshotView
from arena.domain.schemas.models import MeetingView, ModelView
from arena.domain.schemas.shares import ListedBattleView
from arena.domain.terms import JsonObject

MARGIN: Final = 20
"""Points within which a model is called not worse than another on their page, the same for all pairs."""


class PairErrorsView(Wire):
    """The standard errors of all differences on one board, and the other inputs of comparisons of two models.

    Ratings and errors are in log-odds. `errors` has those of the pairs (0, 1), (0, 2), … (1, 2), … as little-endian
    32-bit floats in base64, nan where undefined. `clusters` is the number of each model's clusters, which claims need;
    tables of methods before claims lack the field.
    """

    votes: int
    level: float
    names: list[str]
    component: list[int]
    rating: list[float]
    freedom: list[float]
    design_effect: list[float]
    errors: str
    clusters: list[int] | None = None

    @model_serializer(mode="wrap")
    def _serialize(self, handler: SerializerFunctionWrapHandler) -> JsonObject:
        fields: JsonObject = handler(self)
        if self.clusters is None:
            del fields["clusters"]
        return fields


class PairChanceView(Wire):
    """The first of two models compared with the second on one board; an empty category and language mean all.

    `chance` is the probability that a vote between them is for the first, a tie being half a vote, with its 95 %
    interval `low` to `high`; `better` is the probability that the first is the better one. Both hold at one look. The
    bounds `claim_low` to `claim_high` hold at all looks at a growing log at once (95 %): one of the two is better where
    they exclude one half. They are null below 300 votes on the board or 20 clusters of either model. After `more`
    further votes between them they would exclude one half if the difference stays the same: 0 if they do already, null
    for equal ratings or too few clusters. After `more_within` of them, the first number of the first model and the
    second of the other, the bounds would exclude that it is worse by `MARGIN` points; null where it now is. All but
    `chance` are null if all votes are of one person.
    """

    category: str = ""
    language: str = ""
    chance: float
    low: float | None
    high: float | None
    better: float | None
    claim_low: float | None = None
    claim_high: float | None = None
    more: int | None
    more_within: tuple[int | None, int | None] = (None, None)


class SharedOpponentView(Wire):
    """An opponent of both, with their battles against it, and the shares won of those `decided`, without a tie."""

    opponent: str
    a_battles: int
    b_battles: int
    a_share: float | None
    b_share: float | None
    a_decided: int = 0
    b_decided: int = 0


class PairResultsView(Wire):
    """Two models with their facts, rows of the whole board, and comparisons.

    `boards` has the whole board of `snapshot`, then those of categories and languages on which battles connect the two;
    it may be empty, and is so while `computing`, before the first comparison. `met` is the first model's record against
    the second; `shared` has those of the common `opponents` with the most battles. `examples` has the newest listed
    battles between the two. `same_weights`: both serve the same weights, as both owners or an operator confirm.
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
    same_weights: bool = False
