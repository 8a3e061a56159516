"""The log packed as one unsigned word per vote, which the Elo kernels shuffle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena_rating.comparisons import Comparisons
from arena_rating.errors import BadComparisons

LARGEST_STEP: Final = 0.125
"""Largest exponent of an update for which the kernels' polynomial is accurate to the last place."""

_TABLE: Final = 256
_WIDTHS: Final = (np.dtype(np.uint16), np.dtype(np.uint32), np.dtype(np.uint64))


@dataclass(frozen=True, slots=True, eq=False)
class PackedLog:
    """A packed log; `_kernels/elo.py` describes the layout of a word.

    Attributes:
        words: [n], the narrowest of uint16, uint32 and uint64 that holds a vote. Up to 128 competitors fit in 16 bits,
            so that a million votes stay in a core's private cache.
        bits: Width of one competitor's number.
        weights: float64, the distinct weights; a word's highest bits are an index into it. The weights of the gate's
            decisions (0, 1/4, 1/2, 1) take two bits, so that up to 64 competitors fit in 16 bits.
        competitors: Number of competitors.
    """

    words: NDArray[np.unsignedinteger]
    bits: int
    weights: NDArray[np.float64]
    competitors: int


def pack(comparisons: Comparisons) -> PackedLog:
    """Pack the columns; the words are a new, writable array in the order of the log.

    Raises:
        BadComparisons: Too many competitors and distinct weights for 64 bits.
    """
    log = comparisons
    bits = max(1, (len(log.names) - 1).bit_length())
    weights, kind = np.ones(1), np.zeros(0, np.uint64)
    if log.weight is not None:
        weights, kind = _distinct(log.weight)
    dtype = _narrowest(2 * bits + 2 + max(0, (len(weights) - 1).bit_length()))
    words = log.outcome | (log.right.astype(dtype) << dtype.type(2)) | (log.left.astype(dtype) << dtype.type(2 + bits))
    if len(weights) > 1:
        words |= kind.astype(dtype) << dtype.type(2 + 2 * bits)
    return PackedLog(words=words, bits=bits, weights=weights, competitors=len(log.names))


def _distinct(weight: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.generic]]:
    """The distinct weights, ascending, and each row's index among them; small multiples of 1/4 need no sort."""
    quarters = 4 * weight
    if len(weight) and quarters.max() < _TABLE and (quarters == np.floor(quarters)).all():
        code = quarters.astype(np.uint8)
        present = np.flatnonzero(np.bincount(code, minlength=_TABLE))
        index = np.zeros(_TABLE, np.uint8)
        index[present] = np.arange(len(present))
        return present / 4, index[code]
    return np.unique(weight, return_inverse=True)


def _narrowest(width: int) -> np.dtype[Any]:
    for dtype in _WIDTHS:
        if width <= dtype.itemsize * 8:
            return dtype
    raise BadComparisons(f"a vote needs {width} bits, but a word has at most 64")
