"""Majorities of pairs: Condorcet winner and loser, and the number of cyclic triples.

A cycle contradicts every order of the competitors. Near equals have a few cycles by chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena_rating.counts import Votes, counts_of


@dataclass(frozen=True, slots=True)
class Majorities:
    """Summary of the majority relation: i beats j if more votes prefer i; ties of either kind count for neither.

    Attributes:
        winner: The competitor that beats every other, or None.
        loser: The competitor that every other beats, or None.
        decided: Number of pairs with a majority.
        even: Number of pairs that met without one.
        unmet: Number of pairs that never met.
        triples: Number of triples whose three pairs are decided.
        cycles: Number of those triples that are cyclic; a quarter of them if every majority were a coin toss.
    """

    winner: str | None
    loser: str | None
    decided: int
    even: int
    unmet: int
    triples: int
    cycles: int


def majorities(votes: Votes) -> Majorities:
    """The majority relation of these votes."""
    counts = counts_of(votes)
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
        # Closed walks of length 3: an undirected triangle has six, a directed one three.
        triples=round(float((either @ either * either).sum()) / 6),
        cycles=round(float((beats @ beats * beats.T).sum()) / 3),
    )


def _unique_name(
    names: tuple[str, ...], majority_counts: np.ndarray[tuple[int], np.dtype[np.float64]], opponents: int
) -> str | None:
    """The name of the competitor with a majority over, or against, all others."""
    places = np.flatnonzero(majority_counts == opponents)
    return names[int(places[0])] if len(places) and opponents > 0 else None
