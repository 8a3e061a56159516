"""Ratings from pairwise votes: pure functions from columns to frozen results.

It needs numpy and numba only, not the arena. numba is imported at the first computation. Data frames of any library
are read without that library.

    from arena_rating import Comparisons, compute

    board = compute({"model_a": ["x", "y"], "model_b": ["y", "z"], "winner": ["model_a", "tie"]})
    board = compute(Comparisons.from_votes(["x", "y"], ["y", "z"], ["a", "tie"]))
"""

from __future__ import annotations

from arena_rating._kernels.warmup import warm
from arena_rating.answer_style import STYLE_FEATURES, Markup, markup_of, share_differences, style_features
from arena_rating.board.parameters import (
    METHOD,
    METHOD_BY_CATEGORY,
    METHOD_BY_CLUSTER,
    METHOD_BY_LOOK,
    METHODS_WITH_CLAIMS,
    Anchor,
    LeaderboardParameters,
)
from arena_rating.board.rows import PairRecord, Rating
from arena_rating.bradley_terry import PRIOR, BradleyTerry, bradley_terry, rank_bounds
from arena_rating.categories.boards import Division, compute_by_category, pool_of
from arena_rating.categories.shrinkage import Pool
from arena_rating.clusters import ClusteredFit, ClusteredRows, clustered, clustered_both_ways, measure_widening
from arena_rating.comparisons import BOTH_BAD, LEFT_WINS, OUTCOME_CODES, OUTCOMES, RIGHT_WINS, TIE, Column, Comparisons
from arena_rating.components import components
from arena_rating.condorcet import Majorities, majorities
from arena_rating.counts import PairCounts, Votes, counts_of, outcome_counts, pair_counts, sums_by_code, sums_of_kinds
from arena_rating.elo import (
    LLMEVAL,
    SETTLED,
    TENCENT,
    EloParameters,
    OrderAveragedElo,
    elo_in_order,
    elo_over_orders,
    elo_path,
    way_left,
)
from arena_rating.errors import BadComparisons, BadParameters, NotConverged, RatingError, Unbounded
from arena_rating.frames.reading import USUAL_COLUMNS, VoteFrame
from arena_rating.inverse_probability import inverse_probability
from arena_rating.leaderboard import Leaderboard, compute
from arena_rating.pair_difference import PairDifference, PairErrors, further_votes, pair_difference
from arena_rating.points import PointsTable, points_table
from arena_rating.rank_sets import rank_sets, ranks
from arena_rating.stability import (
    OrderStability,
    Trace,
    Traces,
    WindowStability,
    order_stability,
    window_stability,
)
from arena_rating.style import StyleBradleyTerry, style_bradley_terry
from arena_rating.ties import TieFit, tie_fits
from arena_rating.winrate import WinMatrix, carena_rate, win_matrix, win_rate

__all__ = [
    "BOTH_BAD",
    "LEFT_WINS",
    "LLMEVAL",
    "METHOD",
    "METHODS_WITH_CLAIMS",
    "METHOD_BY_CATEGORY",
    "METHOD_BY_CLUSTER",
    "METHOD_BY_LOOK",
    "OUTCOMES",
    "OUTCOME_CODES",
    "PRIOR",
    "RIGHT_WINS",
    "SETTLED",
    "STYLE_FEATURES",
    "TENCENT",
    "TIE",
    "USUAL_COLUMNS",
    "Anchor",
    "BadComparisons",
    "BadParameters",
    "BradleyTerry",
    "ClusteredFit",
    "ClusteredRows",
    "Column",
    "Comparisons",
    "Division",
    "EloParameters",
    "Leaderboard",
    "LeaderboardParameters",
    "Majorities",
    "Markup",
    "NotConverged",
    "OrderAveragedElo",
    "OrderStability",
    "PairCounts",
    "PairDifference",
    "PairErrors",
    "PairRecord",
    "PointsTable",
    "Pool",
    "Rating",
    "RatingError",
    "StyleBradleyTerry",
    "TieFit",
    "Trace",
    "Traces",
    "Unbounded",
    "VoteFrame",
    "Votes",
    "WinMatrix",
    "WindowStability",
    "bradley_terry",
    "carena_rate",
    "clustered",
    "clustered_both_ways",
    "components",
    "compute",
    "compute_by_category",
    "counts_of",
    "elo_in_order",
    "elo_over_orders",
    "elo_path",
    "further_votes",
    "inverse_probability",
    "majorities",
    "markup_of",
    "measure_widening",
    "order_stability",
    "outcome_counts",
    "pair_counts",
    "pair_difference",
    "points_table",
    "pool_of",
    "rank_bounds",
    "rank_sets",
    "ranks",
    "share_differences",
    "style_bradley_terry",
    "style_features",
    "sums_by_code",
    "sums_of_kinds",
    "tie_fits",
    "warm",
    "way_left",
    "win_matrix",
    "win_rate",
    "window_stability",
]


def __getattr__(name: str) -> str:
    """The version of the package as `__version__`, which is read when it is asked for."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import version

    return version("arena-rating")
