"""A compiled search for quantiles of mixtures of normal distributions."""

from __future__ import annotations

import math

import numpy as np

from arena_rating._kernels.compilation import Array, compiled


@compiled
def mixture_quantile(level: float, chance: Array, centre: Array, error: Array, halvings: int) -> Array:
    """Quantile [n] of mixtures with the chances [t] of normal parts with centres and errors [t, n], by halving."""
    parts, size = centre.shape
    result = np.empty(size)
    for i in range(size):
        width = 10.0 * error[:, i].max()
        low, high = centre[:, i].min() - width, centre[:, i].max() + width
        for _ in range(halvings):
            middle, below = (low + high) / 2.0, 0.0
            for part in range(parts):
                below += chance[part] * math.erfc((centre[part, i] - middle) / (error[part, i] * math.sqrt(2.0)))
            if below / 2.0 < level:
                low = middle
            else:
                high = middle
        result[i] = (low + high) / 2.0
    return result
