"""Compiled draws of the largest difference over many pairs."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from arena_rating._kernels.compilation import Array, compiled
from arena_rating._kernels.splitmix import stream, uniform

_TURN: Final = 2.0 * math.pi
_BLOCK: Final = 16
"""Draws per block; with fewer, more pairs are skipped, with more, loops are longer."""


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
def _runs(first: Array, scale: Array) -> tuple[Array, Array]:
    """The end of each run of equal numbers in `first`, and the largest scale in it."""
    ends, widest, runs = np.empty(len(first), np.int64), np.zeros(len(first)), 0
    for pair in range(len(first)):
        widest[runs] = max(widest[runs], scale[pair])
        if pair + 1 == len(first) or first[pair + 1] != first[pair]:
            ends[runs] = pair + 1
            runs += 1
    return ends[:runs], widest[:runs]


@compiled
def _may_exceed(x: Array, low: Array, high: Array, factor: float, best: Array, size: int) -> bool:
    """Whether a difference to x could be above the best of any draw, given the least and the largest values."""
    for d in range(size):  # noqa: SIM110 - numba has no generators
        if max(high[d] - x[d], x[d] - low[d]) * factor > best[d]:
            return True
    return False


@compiled
def _by_reach(block: Array, first: Array, ends: Array, widest: Array, low: Array, high: Array, size: int) -> Array:
    """The runs in the order of the largest difference that each could have, as a share of the draw's range."""
    reach = np.zeros(len(ends))
    for run in range(len(ends)):
        x = block[first[ends[run] - 1]]
        for d in range(size):
            reach[run] = min(reach[run], -widest[run] * max(high[d] - x[d], x[d] - low[d]) / (high[d] - low[d]))
    return np.argsort(reach)


@compiled
def _place(x: Array, first: Array, second: Array, scale: Array, gap: float, run: int, ends: Array) -> int:
    """The first pair of a run whose difference is `gap`."""
    begin = ends[run - 1] if run else 0
    for pair in range(begin, ends[run]):
        if abs(x[first[pair]] - x[second[pair]]) * scale[pair] == gap:
            return pair
    return begin


@compiled
def largest_differences(draws: Array, first: Array, second: Array, scale: Array) -> tuple[Array, Array]:
    """Largest |x_i - x_j| * scale over the pairs (first, second), [d], for each column x of `draws` [m, d].

    The second result is the number of a pair that has it, [d]. Pairs with equal `first` are neighbours. All of them are
    skipped where even the most distant value would not exceed the best so far, which holds for most, as those that
    reach far come first; this changes no bit, since rounding is monotonic.
    """
    result, pairs, (ends, widest) = np.zeros(draws.shape[1]), np.zeros(draws.shape[1], np.int64), _runs(first, scale)
    block, low, high = np.empty((draws.shape[0], _BLOCK)), np.empty(_BLOCK), np.empty(_BLOCK)
    for start in range(0, draws.shape[1], _BLOCK):
        size = min(_BLOCK, draws.shape[1] - start)
        block[:, :size] = draws[:, start : start + size]
        for d in range(size):
            low[d], high[d] = block[:, d].min(), block[:, d].max()
        best, holder = np.zeros(_BLOCK), np.zeros(_BLOCK, np.int64)
        order = _by_reach(block, first, ends, widest, low, high, size)
        for place in range(len(order)):
            run = int(order[place])
            begin = ends[run - 1] if run else 0
            x = block[first[begin]]
            if _may_exceed(x, low, high, widest[run], best, size):
                before = best.copy()
                for pair in range(begin, ends[run]):
                    y, factor = block[second[pair]], scale[pair]
                    for d in range(size):
                        gap = abs(x[d] - y[d]) * factor
                        best[d] = max(best[d], gap)
                for d in range(size):
                    if best[d] > before[d]:
                        holder[d] = run
        result[start : start + size] = best[:size]
        for d in range(size):
            pairs[start + d] = _place(block[:, d], first, second, scale, best[d], holder[d], ends)
    return result, pairs
