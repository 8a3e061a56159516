"""Compiled maximisation of a Bradley-Terry likelihood with a prior, over the strengths q = exp(theta).

Nothing is contracted or reassociated and sums have a fixed order, so the same scores and start give the same bits.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from arena_rating._kernels.compilation import Array, compiled

CHORDS: Final = 20
"""Most chord steps, which use the Hessian of a similar log; fewer if they shrink too slowly."""
SWEEPS: Final = 60
"""Coordinate sweeps before Newton's method takes over, which loosely connected groups need."""
STEPS: Final = 200
"""Newton steps after which a fit fails."""
CLOSE: Final = 1e-12
"""Largest relative change of a strength at which a fit has converged."""

_SHRINK: Final = 0.25
_ROUNDING: Final = 16 * 2.0**-52


@compiled
def approach(battles: Array, points: Array, inverse: Array, label: Array, prior: float, q: Array) -> int:
    """Maximise by the chord method: steps are the gradient times a fixed inverse Hessian, that of a similar log.

    `battles` and `inverse` [m, m] are symmetric, `points` [m] are those taken; `inverse` leaves the mean of each
    component unchanged. Returns the number of steps, or -1 if a step is longer than a quarter of the one before, since
    `maximise` is then faster.
    """
    m, pools, limit = q.shape[0], _pools(label), 1.0
    slope, change = np.empty(m), np.empty(m)
    _level(label, pools, q)
    for step in range(1, CHORDS + 1):
        _slopes(battles, points, prior, q, slope)
        _times(inverse, slope, change)
        longest = 0.0
        for i in range(m):
            if not abs(change[i]) <= limit:  # negated, so that nan counts as too long
                return -1
            longest = max(longest, abs(change[i]))
        for i in range(m):
            q[i] *= (1.0 + 0.5 * change[i]) / (1.0 - 0.5 * change[i])
        if max(longest, _level(label, pools, q)) <= CLOSE:
            return step
        limit = max(CLOSE, _SHRINK * longest)
    return -1


@compiled
def _slopes(battles: Array, points: Array, prior: float, q: Array, slope: Array) -> None:
    """Gradient of the log-likelihood by theta; the outer loop is over rows, so that all columns add in fixed order."""
    m = q.shape[0]
    slope[:] = 0.0
    for i in range(m):
        value = q[i]
        for j in range(m):
            slope[j] += battles[i, j] / (value + q[j])
    for j in range(m):
        slope[j] = points[j] - q[j] * slope[j] + prior * (0.5 - q[j] / (1.0 + q[j]))


@compiled
def _times(matrix: Array, vector: Array, product: Array) -> None:
    """A symmetric matrix times a vector."""
    m = vector.shape[0]
    product[:] = 0.0
    for i in range(m):
        factor = vector[i]
        for j in range(m):
            product[j] += matrix[i, j] * factor


@compiled
def _pools(label: Array) -> int:
    return 0 if label.shape[0] == 0 else label.max() + 1


@compiled
def _sweep(score: Array, turned: Array, prior: float, q: Array) -> float:
    """One round of Newman's iteration (2023, equation 27) over the strengths; returns the largest change."""
    m, largest = q.shape[0], 0.0
    for i in range(m):
        value = q[i]
        virtual = 0.5 * prior / (value + 1.0)
        won_0 = won_1 = lost_0 = lost_1 = 0.0
        for j in range(0, m - 1, 2):  # two accumulators each, since an addition waits for the last one
            share_0, share_1 = 1.0 / (value + q[j]), 1.0 / (value + q[j + 1])
            won_0 += score[i, j] * (q[j] * share_0)
            won_1 += score[i, j + 1] * (q[j + 1] * share_1)
            lost_0 += turned[i, j] * share_0
            lost_1 += turned[i, j + 1] * share_1
        if m % 2:
            share_0 = 1.0 / (value + q[m - 1])
            won_0 += score[i, m - 1] * (q[m - 1] * share_0)
            lost_0 += turned[i, m - 1] * share_0
        q[i] = (won_0 + won_1 + virtual) / (lost_0 + lost_1 + virtual)
        largest = max(largest, abs(q[i] / value - 1.0))
    return largest


@compiled
def _level(label: Array, pools: int, q: Array) -> float:
    """Shift each component towards the virtual competitor, which sweeps do slowly; returns the largest shift."""
    slope, curve = np.zeros(pools), np.zeros(pools)
    for i in range(q.shape[0]):
        share = q[i] / (1.0 + q[i])
        slope[label[i]] += 0.5 - share
        curve[label[i]] += share * (1.0 - share)
    largest = 0.0
    for pool in range(pools):
        move = slope[pool] / curve[pool]
        slope[pool] = min(1.0, max(-1.0, move))
        largest = max(largest, abs(move))
    for i in range(q.shape[0]):
        half = 0.5 * slope[label[i]]
        q[i] *= (1.0 + half) / (1.0 - half)
    return largest


@compiled
def _solve(matrix: Array, vector: Array) -> bool:
    """Overwrite the vector with matrix^-1 vector by Cholesky factorisation; False if it is not positive definite."""
    m = vector.shape[0]
    for i in range(m):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            if i != j:
                matrix[i, j] = total / matrix[j, j]
            elif total > 0.0:
                matrix[i, i] = math.sqrt(total)
            else:
                return False
    for i in range(m):
        for k in range(i):
            vector[i] -= matrix[i, k] * vector[k]
        vector[i] /= matrix[i, i]
    for i in range(m - 1, -1, -1):
        for k in range(i + 1, m):
            vector[i] -= matrix[k, i] * vector[k]
        vector[i] /= matrix[i, i]
    return True


@compiled
def _newton(score: Array, turned: Array, prior: float, q: Array) -> int:
    """Newton's method with steps of at most 1; returns the number of steps, or -1 without convergence.

    It has converged if the step is negligible or the gradient is within the rounding error of its terms.
    """
    m = q.shape[0]
    curve, slope = np.empty((m, m)), np.empty(m)
    for step in range(1, STEPS):
        flat = True
        for i in range(m):
            share = q[i] / (1.0 + q[i])
            slope[i], diagonal, battles = prior * (0.5 - share), prior * share * (1.0 - share), prior
            for j in range(m):
                if j != i:
                    chance = q[i] / (q[i] + q[j])
                    slope[i] += score[i, j] * (1.0 - chance) - turned[i, j] * chance
                    curve[i, j] = -(score[i, j] + turned[i, j]) * chance * (1.0 - chance)
                    diagonal -= curve[i, j]
                    battles += score[i, j] + turned[i, j]
            curve[i, i] = diagonal
            flat = flat and abs(slope[i]) <= _ROUNDING * battles
        if not _solve(curve, slope):
            return -1
        longest = np.abs(slope).max()
        for i in range(m):
            q[i] *= math.exp(slope[i] / max(1.0, longest))
        if flat or longest <= 10 * CLOSE:
            return step
    return -1


@compiled
def maximise(score: Array, turned: Array, label: Array, prior: float, q: Array) -> int:
    """Move the strengths `q` to the maximum, in place; returns the number of sweeps and steps, or -1 if too many."""
    pools = _pools(label)
    for sweep in range(1, SWEEPS + 1):
        change = _sweep(score, turned, prior, q)
        move = _level(label, pools, q)
        if max(change, move) <= CLOSE:
            return sweep
    steps = _newton(score, turned, prior, q)
    return -1 if steps < 0 else SWEEPS + steps
