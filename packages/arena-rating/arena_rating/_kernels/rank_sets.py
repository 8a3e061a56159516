"""Compiled draws of the largest difference over many pairs."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from arena_rating._kernels.compilation import Array, compiled
from arena_rating._kernels.splitmix import stream, uniform

_TURN: Final = 2.0 * math.pi
_BLOCK: Final = 64
"""Draws per block: those of a thousand competitors fit a core's private cache."""


@compiled
def normals(seed: np.uint64, rows: int, columns: int) -> Array:
    """Independent standard normal numbers [rows, columns], a stream per row (Box and Muller 1958)."""
    table = np.empty((rows, columns))
    for row in range(rows):
        state = stream(seed, row)
        for place in range(columns):
            first, state = uniform(state)
            second, state = uniform(state)
            table[row, place] = math.sqrt(-2.0 * math.log(1.0 - first)) * math.cos(_TURN * second)
    return table


@compiled
def largest_differences(draws: Array, first: Array, second: Array, scale: Array) -> Array:
    """Largest |x_i - x_j| * scale over the pairs (first, second), [d], for each column x of `draws` [m, d]."""
    result = np.zeros(draws.shape[1])
    block = np.empty((draws.shape[0], _BLOCK))
    for start in range(0, draws.shape[1], _BLOCK):
        size = min(_BLOCK, draws.shape[1] - start)
        block[:, :size] = draws[:, start : start + size]
        best = np.zeros(_BLOCK)
        for pair in range(len(first)):
            x, y, factor = block[first[pair]], block[second[pair]], scale[pair]
            for d in range(size):
                gap = abs(x[d] - y[d]) * factor
                best[d] = max(best[d], gap)
        result[start : start + size] = best[:size]
    return result
