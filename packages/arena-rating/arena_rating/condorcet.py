"""Majorities between pairs: whether one competitor beats all others, and how often three beat each other in a circle.

Such a circle contradicts every order of the competitors. A few of them are expected by chance among near equals.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena_rating.counts import PairCounts


@dataclass(frozen=True, slots=True)
class Majorities:
    """The majority relation: i stands above j if more votes prefer i; ties of either kind count for neither.

    Attributes:
        winner: The competitor with a majority over every other (Condorcet); None if there is none.
        loser: The competitor over which every other has one; None if there is none.
        decided: Pairs with a majority.
        even: Pairs that met without one.
        unmet: Pairs that never met.
        triples: Triples of competitors of which all three pairs are decided.
        cycles: Those of them in which each stands above the next; a quarter of all if votes were coins.
    """

    winner: str | None
    loser: str | None
    decided: int
    even: int
    unmet: int
    triples: int
    cycles: int


def majorities(counts: PairCounts) -> Majorities:
    """The majority relation of these votes."""
    size = len(counts.names)
    beats = (counts.wins > counts.wins.T).astype(np.float64)
    either, has_battles = beats + beats.T, counts.battles > 0
    majority_count = int(beats.sum())
    meetings = int(np.triu(has_battles, 1).sum())
    return Majorities(
        winner=_unique_name(counts.names, beats.sum(axis=1), size - 1),
        loser=_unique_name(counts.names, beats.sum(axis=0), size - 1),
        decided=majority_count,
        even=meetings - majority_count,
        unmet=size * (size - 1) // 2 - meetings,
        # Closed walks of three steps: each triangle has six, each directed one three.
        triples=round(float((either @ either * either).sum()) / 6),
        cycles=round(float((beats @ beats * beats.T).sum()) / 3),
    )


def _unique_name(
    names: tuple[str, ...], stands: np.ndarray[tuple[int], np.dtype[np.float64]], opponents: int
) -> str | None:
    """The name of the one that stands above, or below, all others."""
    result = np.flatnonzero(stands == opponents)
    return names[int(result[0])] if len(result) and opponents > 0 else None
