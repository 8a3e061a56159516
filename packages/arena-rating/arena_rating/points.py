"""The points table: 1 for a win, 1/2 for a draw, 0 for a loss (LLMEval, equations 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_rating.counts import Votes, counts_of, ratio


@dataclass(frozen=True, slots=True, eq=False)
class PointsTable:
    """Counts and points per competitor, float64 [m] each; played = won + drawn + lost + both_bad.

    "Both are bad" scores 1/2 like a tie, as in Elo and Bradley-Terry, but is counted apart from `drawn`.
    `points_per_battle` is nan for competitors without a battle.
    """

    names: tuple[str, ...]
    played: NDArray[np.float64]
    won: NDArray[np.float64]
    drawn: NDArray[np.float64]
    lost: NDArray[np.float64]
    both_bad: NDArray[np.float64]
    points: NDArray[np.float64]
    points_per_battle: NDArray[np.float64]


def points_table(votes: Votes) -> PointsTable:
    """The points table of a log, a data frame, or counts per pair."""
    counts = counts_of(votes)
    played, points = counts.battles.sum(axis=1), counts.scores.sum(axis=1)
    return PointsTable(
        names=counts.names,
        played=played,
        won=counts.wins.sum(axis=1),
        drawn=counts.ties.sum(axis=1),
        lost=counts.wins.sum(axis=0),
        both_bad=counts.both_bad.sum(axis=1),
        points=points,
        points_per_battle=ratio(points, played),
    )
