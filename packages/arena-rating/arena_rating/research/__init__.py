"""Analyses of ratings for research; the leaderboard needs none of them.

Bootstrap intervals (`bootstrap_bradley_terry`, `elo_bootstrap`), the fewest votes whose removal changes a rank
(`fragility`), the variance of sequential Elo (`elo_variance`), agreement of methods (`agreement`), the mean win rate
over opponents (`average_win_rate`), and ranks by tests of differences (`rank_bounds_by_difference`).
"""

from __future__ import annotations

from arena_rating.research.bootstrap import BootstrapParameters, BootstrappedBradleyTerry, bootstrap_bradley_terry
from arena_rating.research.elo_bootstrap import BootstrappedElo, elo_bootstrap
from arena_rating.research.elo_variance import (
    SimulatedElo,
    elo_covariance,
    elo_variance,
    llmeval_variance,
    memory,
    simulate_elo,
)
from arena_rating.research.fragility import Flip, Removal, fragility
from arena_rating.research.method_agreement import Agreement, agreement, average_win_rate, correlate, kendall, spearman
from arena_rating.research.significance import rank_bounds_by_difference, significantly_better

__all__ = [
    "Agreement",
    "BootstrapParameters",
    "BootstrappedBradleyTerry",
    "BootstrappedElo",
    "Flip",
    "Removal",
    "SimulatedElo",
    "agreement",
    "average_win_rate",
    "bootstrap_bradley_terry",
    "correlate",
    "elo_bootstrap",
    "elo_covariance",
    "elo_variance",
    "fragility",
    "kendall",
    "llmeval_variance",
    "memory",
    "rank_bounds_by_difference",
    "significantly_better",
    "simulate_elo",
    "spearman",
]
