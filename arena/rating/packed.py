"""The log as one unsigned word per vote, the form that the Elo kernels shuffle."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.rating.comparisons import Comparisons
from arena.rating.errors import BadComparisons

LARGEST_STEP: Final = 0.125
"""Bound on the exponent of one update up to which the kernels' polynomial is exact to the last place."""

_WIDTHS: Final = (np.dtype(np.uint16), np.dtype(np.uint32), np.dtype(np.uint64))


@dataclass(frozen=True, slots=True, eq=False)
class PackedLog:
    """A log in words; see `kernels` for the layout.

    Attributes:
        words: [n], the narrowest of uint16, uint32 and uint64 that holds a vote; up to 128 competitors fit in 16 bits,
            so that a million votes stay in a core's own cache.
        bits: Width of one competitor's number.
        weights: float64, the different weights; a word's highest bits are an index into it.
        competitors: How many there are.
    """

    words: NDArray[Any]
    bits: int
    weights: NDArray[np.float64]
    competitors: int


@dataclass(frozen=True, slots=True, eq=False)
class SharedLog:
    """A packed log whose words lie in a file that every worker can read: a task carries its path, not the log."""

    path: str
    bits: int
    weights: NDArray[np.float64]
    competitors: int

    def open(self) -> PackedLog:
        """The log with its words mapped into memory, shared by all tasks of a machine."""
        # Copy on write: a read-only array would be another type to the compiler.
        words = np.asarray(np.load(self.path, mmap_mode="c"))
        return PackedLog(words=words, bits=self.bits, weights=self.weights, competitors=self.competitors)


@contextmanager
def shared(log: PackedLog, folder: Path) -> Generator[SharedLog]:
    """Lay the words into a file in `folder` for as long as the context lasts."""
    handle, path = tempfile.mkstemp(suffix=".npy", prefix="votes-", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            np.save(file, log.words)
        yield SharedLog(path=path, bits=log.bits, weights=log.weights, competitors=log.competitors)
    finally:
        Path(path).unlink(missing_ok=True)


def pack(comparisons: Comparisons) -> PackedLog:
    """Pack the columns; the words are a fresh, writable array in the order of the log.

    Raises:
        BadComparisons: More competitors and different weights than 64 bits can number.
    """
    log = comparisons
    bits = max(1, (len(log.names) - 1).bit_length())
    weights, kind = np.ones(1), np.zeros(0, np.uint64)
    if log.weight is not None:
        weights, kind = np.unique(log.weight, return_inverse=True)
    dtype = _narrowest(2 * bits + 2 + max(0, (len(weights) - 1).bit_length()))
    words = log.outcome | (log.right.astype(dtype) << dtype.type(2)) | (log.left.astype(dtype) << dtype.type(2 + bits))
    if len(weights) > 1:
        words |= kind.astype(dtype) << dtype.type(2 + 2 * bits)
    return PackedLog(words=words, bits=bits, weights=weights, competitors=len(log.names))


def _narrowest(width: int) -> np.dtype[Any]:
    for dtype in _WIDTHS:
        if width <= dtype.itemsize * 8:
            return dtype
    raise BadComparisons(f"a vote needs {width} bits, at most 64 are there")
