"""Quantiles of Student's t with degrees of freedom that need not be whole."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

_STEPS = 30
_NORMAL = 1e7
"""Degrees of freedom above which the normal quantile is the same to seven digits."""


def student_quantile(level: float, freedom: NDArray[np.float64]) -> NDArray[np.float64]:
    """The t with P(|T| <= t) = level for each of the degrees of freedom (1 and more, infinity for the normal), [m].

    With t = sqrt(n) tan(a) that chance is b times the integral of cos^(n - 1) from 0 to a, which is concave in a, so
    that Newton's method climbs to it from the normal quantile; b comes from the gamma function.
    """
    z = NormalDist().inv_cdf(0.5 + level / 2)
    result, finite = np.full(freedom.shape, z), freedom < _NORMAL
    n = freedom[finite]
    log_b = np.array([math.log(2 / math.sqrt(math.pi)) + math.lgamma((f + 1) / 2) - math.lgamma(f / 2) for f in n])
    nodes, weights = np.polynomial.legendre.leggauss(24)
    nodes, weights = (nodes + 1) / 2, weights / 2
    angle = np.arctan(z / np.sqrt(n))
    for _ in range(_STEPS):
        reached = angle * (np.cos(angle[:, None] * nodes) ** (n[:, None] - 1) @ weights) * np.exp(log_b)
        angle = angle + (level - reached) / (np.exp(log_b) * np.cos(angle) ** (n - 1))
    result[finite] = np.sqrt(n) * np.tan(angle)
    return result
