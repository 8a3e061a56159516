"""Compiled Newton's method for Bradley-Terry fits that differ by a few votes, each started from the previous one.

It does not call LAPACK, whose threads cost more than they gain for a hundred competitors, and whose bits depend on
their number. Every inner loop adds a multiple of one row to another, which vectorises without reordering.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from arena_rating._kernels.compilation import Array, compiled

STEPS: Final = 100


@compiled
def refit(battles: Array, taken: Array, prior: float, theta: Array, curve: Array) -> bool:
    """Maximise from `theta` [m] in place; `curve` [m, m] receives the Hessian. False without convergence.

    `battles` [m, m] is symmetric, `taken` [m] are the points taken, `prior` is as in `bradley_terry` and above 0.
    """
    size = theta.shape[0]
    for _ in range(STEPS):
        change, done = np.empty(size), True
        curve[:] = 0.0
        for i in range(size):
            win_virtual = 1.0 / (1.0 + math.exp(-theta[i]))
            change[i] = taken[i] + prior * (0.5 - win_virtual)
            curve[i, i] = prior * win_virtual * (1.0 - win_virtual)
        limit = np.full(size, 1e-10)
        for i in range(size):
            for j in range(i):
                battles_of_pair = battles[i, j]
                if battles_of_pair > 0.0:
                    chance = 1.0 / (1.0 + math.exp(theta[j] - theta[i]))
                    change[i] -= battles_of_pair * chance
                    change[j] -= battles_of_pair * (1.0 - chance)
                    limit[i] += 4e-15 * battles_of_pair
                    limit[j] += 4e-15 * battles_of_pair
                    bend = battles_of_pair * chance * (1.0 - chance)
                    curve[i, i] += bend
                    curve[j, j] += bend
                    curve[i, j] = curve[j, i] = -bend
        for i in range(size):
            done = done and abs(change[i]) <= limit[i]
        if done:
            return True
        factor = _factor(curve)
        _solve(factor, change)
        # Steps are at most one natural unit, beyond which the quadratic approximation is poor.
        longest = max(1.0, np.abs(change).max())
        for i in range(size):
            theta[i] += change[i] / longest
    return False


@compiled
def inverse(curve: Array) -> Array:
    """Inverse of a positive definite matrix [m, m]."""
    size, factor = curve.shape[0], _factor(curve)
    half, result = np.eye(size), np.zeros((size, size))
    for k in range(size):
        half[k, : k + 1] /= factor[k, k]
        for i in range(k + 1, size):
            half[i, : k + 1] -= factor[k, i] * half[k, : k + 1]
    for k in range(size):
        for i in range(k + 1):
            result[i, : k + 1] += half[k, i] * half[k, : k + 1]
    return result


@compiled
def _factor(curve: Array) -> Array:
    """Upper triangular U with U' U = curve (Cholesky)."""
    size, upper = curve.shape[0], curve.copy()
    for k in range(size):
        upper[k, k:] /= math.sqrt(upper[k, k])
        for i in range(k + 1, size):
            upper[i, i:] -= upper[k, i] * upper[k, i:]
    return upper


@compiled
def _solve(upper: Array, right: Array) -> None:
    """Solve U' U x = right in place."""
    size = right.shape[0]
    for k in range(size):
        right[k] /= upper[k, k]
        right[k + 1 :] -= right[k] * upper[k, k + 1 :]
    for k in range(size - 1, -1, -1):
        total = right[k]
        for j in range(k + 1, size):
            total -= upper[k, j] * right[j]
        right[k] = total / upper[k, k]
