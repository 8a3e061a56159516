"""Ranks: equal ratings share the better one, and only competitors of one component are compared."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def ranks(rating: NDArray[np.float64], component: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """1 + the number of better ratings in the same component, int64 of the shape of `rating`, [m] or [rows, m].

    A nan gets 0 for "no rank" and does not affect the others. `component` [m] labels the components; without it all
    competitors are compared.
    """
    table = np.atleast_2d(rating)
    result = np.zeros(table.shape, np.int64)
    label = np.zeros(table.shape[1], np.int64) if component is None else component
    for pool in np.unique(label):
        members = np.flatnonzero(label == pool)
        for row, place in zip(table, result, strict=True):
            place[members] = _ranks(row[members])
    return result.reshape(rating.shape)


def _ranks(rating: NDArray[np.float64]) -> NDArray[np.int64]:
    known = np.sort(rating[~np.isnan(rating)])
    better = len(known) - np.searchsorted(known, rating, side="right")
    return np.where(np.isnan(rating), 0, 1 + better)
