"""Distinct integer keys and sums over them, dense where that takes little memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DENSE: Final = 1 << 24
"""Number of possible keys up to which a table of all of them is faster than sorting."""


def distinct(key: NDArray[np.int64], bound: int) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """The distinct keys, ascending, and the place of each key among them."""
    if bound > _DENSE:
        cells, place = np.unique(key, return_inverse=True)
        return cells, place
    seen = np.zeros(bound, np.bool_)
    seen[key] = True
    cells = np.flatnonzero(seen)
    index = np.zeros(bound, np.intp)
    index[cells] = np.arange(len(cells))
    return cells, index[key]
