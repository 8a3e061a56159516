"""Compiled passes over the rows of a style-controlled log."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from arena_rating._kernels.compilation import Array, compiled

_CHUNK: Final = 512


@compiled
def add_columns(features: Array, weight: Array, bound: float, totals: Array) -> int:
    """The first row with a value outside +-`bound`, or -1; adds the rows before it to `totals` [4, k].

    These are each column's minimum, maximum, sum of squares and sum of weights, over rows with a weight above 0; an
    empty `weight` means that all are 1. Rows that are added in pieces give the bits of all at once.
    """
    rows, k = features.shape
    for n in range(rows):
        frequency = weight[n] if weight.shape[0] else 1.0
        for f in range(k):
            value = features[n, f]
            if not abs(value) <= bound:
                return n
            totals[3, f] += frequency
            if frequency > 0.0:
                totals[0, f], totals[1, f] = min(totals[0, f], value), max(totals[1, f], value)
                totals[2, f] += frequency * value * value
    return -1


@compiled
def row_sums(
    left: Array,
    right: Array,
    outcome: Array,
    weight: Array,
    features: Array,
    theta: Array,
    beta: Array,
    squared: bool,
) -> tuple[Array, Array, Array, Array]:
    """Sums of a Newton step, with r = score - chance and u = r^2 if `squared`, else u = chance (1 - chance).

    `features` is [n, k]; an empty `weight` means that all are 1. Returns weighted sums over rows: pairs [m, m, 2] of
    (u, r) by (left, right); mixed [m, k] of u x, added at left and subtracted at right; slope [k] of r x; and inner
    [k, k] of u x x', its lower triangle.
    """
    m, k = theta.shape[0], beta.shape[0]
    pairs, mixed, slope, inner = np.zeros((m, m, 2)), np.zeros((m, k)), np.zeros(k), np.zeros((k, k))
    scores = np.array([1.0, 0.0, 0.5, 0.5])
    shift = np.empty(_CHUNK)
    for start in range(0, left.shape[0], _CHUNK):
        size = min(_CHUNK, left.shape[0] - start)
        for n in range(size):
            row = start + n
            total = theta[left[row]] - theta[right[row]]
            for f in range(k):
                total += features[row, f] * beta[f]
            shift[n] = total
        for n in range(size):  # a separate loop, which the compiler can vectorise
            shift[n] = 1.0 / (1.0 + math.exp(-shift[n]))
        for n in range(size):
            row = start + n
            i, j, chance = left[row], right[row], shift[n]
            frequency = weight[row] if weight.shape[0] else 1.0
            residual = scores[outcome[row]] - chance
            u = frequency * (residual * residual if squared else chance * (1.0 - chance))
            residual *= frequency
            pairs[i, j, 0] += u
            pairs[i, j, 1] += residual
            for f in range(k):
                ux = u * features[row, f]
                slope[f] += residual * features[row, f]
                mixed[i, f] += ux
                mixed[j, f] -= ux
                for g in range(f + 1):
                    inner[f, g] += ux * features[row, g]
    return pairs, mixed, slope, inner
