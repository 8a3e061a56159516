"""Connected components of the graph of battles. Ratings of different components have no common scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def components(battles: NDArray[np.float64]) -> NDArray[np.int64]:
    """Label [m] of each competitor's connected component; 0 is the largest, equal sizes keep the order of names.

    `battles` [m, m] is symmetric; a number above 0 is an edge.
    """
    adjacent = battles > 0
    groups: list[NDArray[np.bool_]] = []
    unseen = np.ones(len(adjacent), np.bool_)
    while unseen.any():
        group = reachable(adjacent, int(unseen.argmax()))
        unseen &= ~group
        groups.append(group)
    label = np.full(len(adjacent), -1, np.int64)
    for number, group in enumerate(sorted(groups, key=lambda group: -int(group.sum()))):
        label[group] = number
    return label


def reachable(edges: NDArray[np.bool_], start: int) -> NDArray[np.bool_]:
    """Nodes [m] reachable from `start` along edges[i, j], itself included."""
    is_reached = np.zeros(len(edges), np.bool_)
    is_reached[start] = True
    while True:
        update = is_reached | edges[is_reached].any(axis=0)
        if (update == is_reached).all():
            return is_reached
        is_reached = update


def strongly_connected(edges: NDArray[np.bool_]) -> bool:
    """Whether every node is reachable from every other."""
    return bool(reachable(edges, 0).all() and reachable(edges.T, 0).all())
