"""The leaderboard: snapshots, rows, pairs and how they were computed."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from arena.domain.schemas.base import Wire
from arena.domain.schemas.further_fits import GroundedView, MajoritiesView, RefitView, TieModelView
from arena.domain.terms import JsonObject

RankedBy = Literal["bt", "elo", "points", "win"]
"""Scores that a board can be ranked by: Bradley-Terry, Elo, points per battle, win rate."""


class SnapshotView(Wire):
    """Inputs and parameters from which a leaderboard was computed."""

    id: int
    method: str
    parameters: JsonObject
    seed: int
    code_version: str
    last_vote: int
    last_exclusion: int
    last_decision: int = 0
    votes: int
    digest: str
    created_at: datetime


class LeaderboardRowView(Wire):
    """One competitor's row.

    Ratings are in Elo points; `elo_error` is the standard error of the mean over orders,
    `order_spread` the standard deviation over orders. `elo_low`, `elo_high`, `bt_low` and `bt_high` bound 95 %
    intervals that allow for people who cast many votes on a day (`clusters` of them on this model); none where one has
    cast all. `bt_independent_low` and `bt_independent_high` bound the interval that takes votes as independent, and
    `design_effect` is the ratio of the two variances: n battles say as much as n / `design_effect` independent ones.
    `rank_low` and `rank_high` are the best and the worst rank, which hold for all models at once (95 %).
    `preliminary` are the reasons why the row may still change much: `few_votes` (below 200), `few_voters` (below 20
    clusters), `wide` (an interval of more than 100 points, or none). Errors of rates are standard errors by cluster.
    `score` is the number that the board is ranked by, with its interval. `elo_settled` is whether no more than 5 % of
    the way from the start is left for Elo, by K and the battles so far.
    """

    name: str
    owner: str
    licence: str | None = None
    link: str | None = None
    demo: bool = False
    open_weights: bool | None = None
    billions: float | None = None
    rank: int
    rank_low: int
    rank_high: int
    elo: float
    elo_low: float | None = None
    elo_high: float | None = None
    elo_error: float
    order_spread: float
    bt: float | None
    bt_low: float | None
    bt_high: float | None
    bt_independent_low: float | None = None
    bt_independent_high: float | None = None
    design_effect: float | None = None
    component: int = 0
    points: float
    points_per_battle: float
    points_per_battle_error: float | None = None
    win_rate: float
    win_rate_error: float | None = None
    carena_rate: float
    carena_rate_error: float | None = None
    clusters: int = 0
    preliminary: list[str] = Field(default=[])
    battles: int
    wins: int
    draws: int
    losses: int
    both_bad: int
    score: float | None = None
    score_low: float | None = None
    score_high: float | None = None
    elo_settled: bool | None = None


class PairView(Wire):
    """The head-to-head record of two competitors; `fraction` is a's share of the decided battles."""

    a: str
    b: str
    battles: int
    a_wins: int
    b_wins: int
    ties: int
    both_bad: int
    fraction: float | None


class StandingsView(Wire):
    """The numbers of one leaderboard, as stored in a snapshot and covered by its digest."""

    rows: list[LeaderboardRowView]
    pairs: list[PairView]


class BoardView(Wire):
    """An available board: of one category, one language, or both; an empty string means all."""

    category: str = ""
    language: str = ""
    votes: int
    digest: str


class BoardLabelsView(Wire):
    """Labels that boards of topics come from, and the share of counted votes without any.

    `last` is the number of the last label that they include; none for the category of when votes were cast.
    """

    set: str
    labeller: str
    version: int
    last: int | None = None
    unlabelled: float


class LeaderboardView(StandingsView):
    """The newest snapshot, or its board of one category or language; `boards` lists all boards.

    `beside` lists the other tables available, `labels` where categories come from. `preliminary` are codes of the
    reasons why the order may still change much: `young` (too few origins of votes to judge them by), `one_network`,
    `closed`, `narrow_pool` (of a board of images or of a language: so few models that pairs can be guessed). Before the
    first snapshot there are no rows. `by` is what the rows are ranked by; ranks by `bt` hold together, others for a
    model alone: it is behind those whose interval lies above its own.
    """

    snapshot: SnapshotView | None
    by: RankedBy = "bt"
    category: str = ""
    language: str = ""
    boards: list[BoardView] = Field(default=[])
    beside: list[Literal["style", "orders", "history"]] = Field(default=[])
    labels: BoardLabelsView | None = None
    preliminary: list[str] = Field(default=[])


class MethodView(Wire):
    """How the newest leaderboard was computed: size of the vote log, and numbers of votes left out by reason.

    `ties` are models of ties, `weighted` is the fit by inverse probability, `majorities` are those between pairs, and
    `grounded` tells where "as good as nothing" is, each of `tables`, the newest snapshot that has them.
    """

    snapshot: SnapshotView | None
    log: int
    left_out: dict[str, int]
    boards: list[BoardView]
    ties: list[TieModelView] = Field(default=[])
    weighted: list[RefitView] = Field(default=[])
    majorities: MajoritiesView | None = None
    grounded: GroundedView | None = None
    tables: SnapshotView | None = None


class NewestView(Wire):
    """Ids of the newest snapshot and of the newest one with its further tables; 0 before the first."""

    snapshot: int
    tables: int
