"""Ratings from pairwise votes: a pure library of columns in, frozen values out.

It needs numpy and numba only and does not depend on the rest of the arena; numba is imported at the first computation.

    from arena.rating import Comparisons, compute

    log = Comparisons.from_votes(["x", "y"], ["y", "z"], ["a", "tie"])
    board = compute(log, seed=1)
"""

from __future__ import annotations

from arena.rating._kernels.warmup import warm
from arena.rating.answer_style import STYLE_FEATURES, Markup, markup_of, share_differences, style_features
from arena.rating.bootstrap import BootstrapParameters, BootstrappedBradleyTerry, bootstrap_bradley_terry
from arena.rating.bradley_terry import PRIOR, BradleyTerry, bradley_terry, rank_bounds
from arena.rating.category_leaderboards import (
    CategoryLeaderboards,
    Division,
    compute_by_category,
    compute_divided,
    each_divided,
)
from arena.rating.comparisons import BOTH_BAD, LEFT_WINS, OUTCOMES, RIGHT_WINS, TIE, Column, Comparisons
from arena.rating.components import components
from arena.rating.condorcet import Majorities, majorities
from arena.rating.counts import PairCounts, outcome_counts, pair_counts
from arena.rating.elo import (
    LLMEVAL,
    TENCENT,
    BootstrappedElo,
    EloParameters,
    OrderAveragedElo,
    elo_bootstrap,
    elo_in_order,
    elo_over_orders,
)
from arena.rating.elo_variance import SimulatedElo, elo_covariance, elo_variance, llmeval_variance, memory, simulate_elo
from arena.rating.errors import BadComparisons, BadParameters, NotConverged, RatingError, Unbounded
from arena.rating.fragility import Flip, Removal, fragility
from arena.rating.inverse_probability import inverse_probability
from arena.rating.leaderboard import METHOD, Anchor, Leaderboard, LeaderboardParameters, PairRecord, Rating, compute
from arena.rating.method_agreement import Agreement, agreement, correlate, kendall, spearman
from arena.rating.points import PointsTable, points_table
from arena.rating.ranks import ranks
from arena.rating.significance import rank_bounds_by_difference, significantly_better
from arena.rating.stability import (
    OrderStability,
    Trace,
    Traces,
    WindowStability,
    elo_path,
    order_stability,
    rank_shares,
    window_stability,
)
from arena.rating.style import StyleBradleyTerry, style_bradley_terry
from arena.rating.ties import TieFit, tie_fits
from arena.rating.winrate import WinMatrix, average_win_rate, carena_rate, win_matrix, win_rate

__all__ = [
    "BOTH_BAD",
    "LEFT_WINS",
    "LLMEVAL",
    "METHOD",
    "OUTCOMES",
    "PRIOR",
    "RIGHT_WINS",
    "STYLE_FEATURES",
    "TENCENT",
    "TIE",
    "Agreement",
    "Anchor",
    "BadComparisons",
    "BadParameters",
    "BootstrapParameters",
    "BootstrappedBradleyTerry",
    "BootstrappedElo",
    "BradleyTerry",
    "CategoryLeaderboards",
    "Column",
    "Comparisons",
    "Division",
    "EloParameters",
    "Flip",
    "Leaderboard",
    "LeaderboardParameters",
    "Majorities",
    "Markup",
    "NotConverged",
    "OrderAveragedElo",
    "OrderStability",
    "PairCounts",
    "PairRecord",
    "PointsTable",
    "Rating",
    "RatingError",
    "Removal",
    "SimulatedElo",
    "StyleBradleyTerry",
    "TieFit",
    "Trace",
    "Traces",
    "Unbounded",
    "WinMatrix",
    "WindowStability",
    "agreement",
    "average_win_rate",
    "bootstrap_bradley_terry",
    "bradley_terry",
    "carena_rate",
    "components",
    "compute",
    "compute_by_category",
    "compute_divided",
    "correlate",
    "each_divided",
    "elo_bootstrap",
    "elo_covariance",
    "elo_in_order",
    "elo_over_orders",
    "elo_path",
    "elo_variance",
    "fragility",
    "inverse_probability",
    "kendall",
    "llmeval_variance",
    "majorities",
    "markup_of",
    "memory",
    "order_stability",
    "outcome_counts",
    "pair_counts",
    "points_table",
    "rank_bounds",
    "rank_bounds_by_difference",
    "rank_shares",
    "ranks",
    "share_differences",
    "significantly_better",
    "simulate_elo",
    "spearman",
    "style_bradley_terry",
    "style_features",
    "tie_fits",
    "warm",
    "win_matrix",
    "win_rate",
    "window_stability",
]
