"""The leaderboard: snapshots, rows, pairs, and their method."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from arena.domain.schemas.base import Wire
from arena.domain.schemas.further_fits import GroundedView, MajoritiesView, RefitView, TieModelView
from arena.domain.terms import JsonObject

RankedBy = Literal["bt", "elo", "points", "win"]
"""Scores by which a board can be ranked: Bradley-Terry, Elo, points per battle, win rate."""


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

    Ratings are in Elo points; `elo_error` is the standard error of the mean over orders, `order_spread` the standard
    deviation over orders. `elo_low`, `elo_high`, `bt_low` and `bt_high` bound 95 % intervals by `clusters`, the votes
    of a person on a day; there are none if one cluster has all votes, and none of an
    Elo that has not settled. `bt_independent_low` and `bt_independent_high`
    bound the interval for independent votes; `design_effect` is the ratio of the two variances. `rank_low` and
    `rank_high` are the best and the worst rank, valid for all models at once (95 %). `preliminary` has the reasons why
    the row may still change much: `few_votes` (below 200), `few_voters` (below 20 clusters), `wide` (an interval of
    more than 100 points, or none), `heavy_voter` (a cluster has more than a tenth of its votes). Rates have standard
    errors and 95 % intervals by cluster. `borrowed`: on the board of a category or language, the weight of
    all votes in `bt` and its interval, 0 to 1; other numbers are those of its own votes. `score` is the value by which
    the board is ranked, with its interval. Models that have met, directly or through others, are one `component`, and
    ranks are within it; 0 is the one with most models. Practice models (`demo`) are the last one where there are any
    others, so that they take no place of a real model. `elo_settled`: at most 5 % of Elo's way from the start is left.
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
    borrowed: float | None = None
    component: int = 0
    points: float
    points_per_battle: float
    points_per_battle_error: float | None = None
    points_per_battle_low: float | None = None
    points_per_battle_high: float | None = None
    win_rate: float
    win_rate_error: float | None = None
    win_rate_low: float | None = None
    win_rate_high: float | None = None
    carena_rate: float
    carena_rate_error: float | None = None
    carena_rate_low: float | None = None
    carena_rate_high: float | None = None
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
    """The head-to-head record of two competitors; `fraction` is a's share of the battles without a tie."""

    a: str
    b: str
    battles: int
    a_wins: int
    b_wins: int
    ties: int
    both_bad: int
    fraction: float | None


class StandingsView(Wire):
    """The numbers of one leaderboard, which a snapshot stores and its digest covers."""

    rows: list[LeaderboardRowView]
    pairs: list[PairView]


class BoardView(Wire):
    """An available board: of one category, one language, or both; an empty string means all."""

    category: str = ""
    language: str = ""
    votes: int
    digest: str


class BoardLabelsView(Wire):
    """The source of the labels of boards by topic, and the share of counted votes without a label.

    `last` is the number of the last label; null where the category is that stored with the votes.
    """

    set: str
    labeller: str
    version: int
    last: int | None = None
    unlabelled: float


class MergedHostsView(Wire):
    """Groups of names that are hosts of one model, each counted as one under its first name.

    `left_out` are the votes between members of a group, which compare no two models.
    """

    groups: list[list[str]]
    left_out: int


class LeaderboardView(StandingsView):
    """The newest snapshot, or its board of one category or language; `boards` lists all boards.

    `beside` lists the other tables available, `labels` is the source of categories. `preliminary` has codes of the
    reasons why the order may still change much: `young` (too few origins of votes for the vote gate), `one_network`,
    `closed`, `narrow_pool` (a board of images or a language with so few models that pairs can be guessed), `contested`
    (votes push a model, or others push it the other way: `contested` has the points by which that may move each such
    model of the board, null where an earlier version of the gate gave none). Before the first snapshot there are no
    rows. `by` is the score of the ranks: those by `bt` hold for all models at once, others
    for one model, which is behind those whose interval lies above its own. `hosts` is there where hosts of one model
    count once.
    """

    snapshot: SnapshotView | None
    by: RankedBy = "bt"
    category: str = ""
    language: str = ""
    boards: list[BoardView] = Field(default=[])
    beside: list[Literal["style", "orders", "history", "hosts"]] = Field(default=[])
    hosts: MergedHostsView | None = None
    labels: BoardLabelsView | None = None
    preliminary: list[str] = Field(default=[])
    contested: dict[str, float | None] = Field(default={})


class MethodView(Wire):
    """The method of the newest leaderboard: size of the vote log, and numbers of votes left out by reason.

    Of the votes in the log, `imported` are from files and were not cast here.
    `ties` has models of ties, `weighted` the fit by inverse probability, `majorities` those between pairs, `grounded`
    the grounded model, each from `tables`, the newest snapshot that has them.
    """

    snapshot: SnapshotView | None
    log: int
    imported: int = 0
    left_out: dict[str, int]
    boards: list[BoardView]
    ties: list[TieModelView] = Field(default=[])
    weighted: list[RefitView] = Field(default=[])
    majorities: MajoritiesView | None = None
    grounded: GroundedView | None = None
    tables: SnapshotView | None = None


class NewestView(Wire):
    """Ids of the newest snapshot and of the newest one with further tables; 0 before the first."""

    snapshot: int
    tables: int
