"""Elo vote by vote by its plain formula, from any state: for the path of a rating, not for many orders."""

from __future__ import annotations

import math

from arena_rating._kernels.compilation import Array, compiled


@compiled
def walk(left: Array, right: Array, score: Array, gain: Array, theta: Array) -> None:
    """Update `theta` [m] in place by every vote in order; theta and gain are K and ratings times ln(base) / scale."""
    for n in range(left.shape[0]):
        i, j = left[n], right[n]
        step = gain[n] * (score[n] - 1.0 / (1.0 + math.exp(theta[j] - theta[i])))
        theta[i] += step
        theta[j] -= step
