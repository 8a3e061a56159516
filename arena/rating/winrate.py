"""Win rates per competitor and per pair, straight from the counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.rating.counts import PairCounts
from arena.rating.points import share


@dataclass(frozen=True, slots=True, eq=False)
class WinMatrix:
    """The record of every pair, float64 [m, m] each (the LangYa board's matrix).

    Attributes:
        names: The m competitors.
        battles: How often the two met.
        wins: wins[i, j] is how often i beat j.
        fraction: i's share of the battles that one of the two won, nan where there was none.
    """

    names: tuple[str, ...]
    battles: NDArray[np.float64]
    wins: NDArray[np.float64]
    fraction: NDArray[np.float64]


def win_rate(counts: PairCounts) -> NDArray[np.float64]:
    """(wins + ties / 2) / battles over all four outcomes, [m] (TencentLLMEval 2.4.2); nan without a battle.

    "Both are bad" stands in the denominator only: it is no half success here, other than in the points.
    """
    return share((counts.wins + 0.5 * counts.ties).sum(axis=1), counts.battles.sum(axis=1))


def carena_rate(counts: PairCounts) -> NDArray[np.float64]:
    """(wins + ties) / battles, [m] (SuperCLUE's "win and tie rate" of CArena); nan without a battle.

    A tie counts in full for both. SuperCLUE does not say what becomes of "both are bad"; here it stands in the
    denominator only, since an answer that was called bad has not won.
    """
    return share((counts.wins + counts.ties).sum(axis=1), counts.battles.sum(axis=1))


def average_win_rate(counts: PairCounts) -> NDArray[np.float64]:
    """Mean over the opponents met of the share of points taken from each, [m]; nan without a battle.

    Unlike `win_rate` it is not bent by whom a competitor met more often.
    """
    shares = share(counts.scores, counts.battles)
    met = counts.battles > 0
    return share(np.where(met, shares, 0.0).sum(axis=1), met.sum(axis=1).astype(np.float64))


def win_matrix(counts: PairCounts) -> WinMatrix:
    """Battles, wins and the fraction without ties of every pair."""
    return WinMatrix(
        names=counts.names,
        battles=counts.battles,
        wins=counts.wins,
        fraction=share(counts.wins, counts.wins + counts.wins.T),
    )
