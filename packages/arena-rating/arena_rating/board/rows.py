"""Rows of a board: one for each competitor, and one for each pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena_rating.clustered_rates import RATES
from arena_rating.clusters import MIN_CLUSTERS

DECIMALS: Final = 6
"""Decimals of published ratings, which hide platform differences in the last bits of a logarithm."""
FEWEST_VOTES: Final = 200
"""Votes below which a row is preliminary."""
WIDEST: Final = 100.0
"""Width of an interval, in points, above which a row is preliminary."""
HEAVIEST: Final = 0.1
"""Share of one cluster in a competitor's battles above which a row is preliminary."""
RATE_BOUNDS: Final = tuple(f"{rate}_{end}" for rate in RATES for end in ("low", "high"))
"""Fields of a row that `METHOD_BY_CLUSTER` lacks."""


@dataclass(frozen=True, slots=True)
class Rating:
    """One competitor's row.

    Ratings are in points. `elo_error` is the standard error of the mean over orders, `order_spread` the standard
    deviation over orders. The intervals `bt_low` to `bt_high` and `elo_low` to `elo_high` have the level
    `LeaderboardParameters.level` and are cluster-robust; they are None if one cluster has all votes, and those of Elo
    while it has not settled (`way_left`), since they say nothing about where it is going. The interval
    `bt_independent_low` to `bt_independent_high` takes votes as independent; `design_effect` is the ratio of the two
    variances. `rank` orders the Bradley-Terry ratings within the component, equal ratings sharing the better rank;
    `rank_low` and `rank_high` are the best and worst rank by `rank_sets` from differences that are claims
    (`claimed_pairs`), so they hold for all competitors at once, and for each pair at all looks.
    `preliminary` has the codes of `preliminary_reasons`.

    On the board of a category `bt` with its interval borrows from the board of all votes; `borrowed` is the weight of
    all votes, 0 to 1, None elsewhere. All other numbers are those of the category's votes alone; best and worst rank
    include the rank.

    Points and rates are weighted, with errors and intervals by cluster. Battles, wins, draws, losses and both_bad
    count votes with a weight above 0; `clusters` counts the clusters of these votes.
    """

    name: str
    rank: int
    rank_low: int
    rank_high: int
    elo: float
    elo_low: float | None
    elo_high: float | None
    elo_error: float
    order_spread: float
    bt: float | None
    bt_low: float | None
    bt_high: float | None
    borrowed: float | None
    bt_independent_low: float | None
    bt_independent_high: float | None
    design_effect: float | None
    component: int
    points: float
    points_per_battle: float
    points_per_battle_error: float | None
    points_per_battle_low: float | None
    points_per_battle_high: float | None
    win_rate: float
    win_rate_error: float | None
    win_rate_low: float | None
    win_rate_high: float | None
    carena_rate: float
    carena_rate_error: float | None
    carena_rate_low: float | None
    carena_rate_high: float | None
    clusters: int
    preliminary: list[str]
    battles: int
    wins: int
    draws: int
    losses: int
    both_bad: int


@dataclass(frozen=True, slots=True)
class PairRecord:
    """The votes on one pair with names a < b; `fraction` is a's weighted share of decided votes, None without any."""

    a: str
    b: str
    battles: int
    a_wins: int
    b_wins: int
    ties: int
    both_bad: int
    fraction: float | None


def preliminary_reasons(votes: int, clusters: int, width: float, heaviest: float = 0.0) -> list[str]:
    """Codes for why a row may still change much.

    `few_votes`, `few_voters` (clusters), `wide` (its interval), `heavy_voter` (the largest share of one cluster).
    """
    reasons = {
        "few_votes": votes < FEWEST_VOTES,
        "few_voters": clusters < MIN_CLUSTERS,
        "wide": not width <= WIDEST,
        "heavy_voter": heaviest > HEAVIEST,
    }
    return [reason for reason, holds in reasons.items() if holds]
