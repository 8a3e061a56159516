"""Win rates by competitor and by pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_rating.counts import Votes, counts_of, ratio


@dataclass(frozen=True, slots=True, eq=False)
class WinMatrix:
    """Results of every pair, float64 [m, m] each (the matrix of the LangYa board).

    Attributes:
        names: The m competitors.
        battles: Number of battles per pair.
        wins: wins[i, j] is the number of times i beat j.
        fraction: i's share of the battles that had a winner, nan where there was none.
    """

    names: tuple[str, ...]
    battles: NDArray[np.float64]
    wins: NDArray[np.float64]
    fraction: NDArray[np.float64]


def win_rate(votes: Votes) -> NDArray[np.float64]:
    """(wins + ties / 2) / battles over all four outcomes, [m] (TencentLLMEval 2.4.2); nan without a battle.

    "Both are bad" counts in the denominator only, unlike in the points table, where it scores 1/2.
    """
    counts = counts_of(votes)
    return ratio((counts.wins + 0.5 * counts.ties).sum(axis=1), counts.battles.sum(axis=1))


def carena_rate(votes: Votes) -> NDArray[np.float64]:
    """(wins + ties) / battles, [m] (SuperCLUE's "win and tie rate" of CArena); nan without a battle.

    A tie counts in full for both. SuperCLUE does not say how "both are bad" counts; here it is in the denominator only,
    since a bad answer has not won.
    """
    counts = counts_of(votes)
    return ratio((counts.wins + counts.ties).sum(axis=1), counts.battles.sum(axis=1))


def win_matrix(votes: Votes) -> WinMatrix:
    """Battles, wins and the share of decided battles won, per pair."""
    counts = counts_of(votes)
    return WinMatrix(
        names=counts.names,
        battles=counts.battles,
        wins=counts.wins,
        fraction=ratio(counts.wins, counts.wins + counts.wins.T),
    )
