"""Analyses of ratings for research; the leaderboard needs none of them.

Which few votes decide a rank (`fragility`), the variance of sequential Elo (`elo_variance`), agreement of methods
(`agreement`), and ranks by tests of differences (`rank_bounds_by_difference`).
"""

from __future__ import annotations

from arena_rating.research.elo_variance import (
    SimulatedElo,
    elo_covariance,
    elo_variance,
    llmeval_variance,
    memory,
    simulate_elo,
)
from arena_rating.research.fragility import Flip, Removal, fragility
from arena_rating.research.method_agreement import Agreement, agreement, correlate, kendall, spearman
from arena_rating.research.significance import rank_bounds_by_difference, significantly_better

__all__ = [
    "Agreement",
    "Flip",
    "Removal",
    "SimulatedElo",
    "agreement",
    "correlate",
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
