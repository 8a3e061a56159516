"""Quantiles and chances of Student's t with any real degrees of freedom of at least 1."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

_STEPS: Final = 30
_NODES: Final = 24
_NORMAL: Final = 1e7
"""Degrees of freedom from which the normal quantile agrees to seven digits."""


def student_quantile(level: float, freedom: NDArray[np.float64]) -> NDArray[np.float64]:
    """The t with P(|T| <= t) = level, [m], for degrees of freedom [m] of at least 1; infinity is the normal case.

    With t = sqrt(n) tan(a) that chance is b times the integral of cos^(n - 1) from 0 to a, with b by gamma functions.
    It is concave in a, so Newton's method from the normal quantile converges.
    """
    z = NormalDist().inv_cdf(0.5 + level / 2)
    result, finite = np.full(freedom.shape, z), freedom < _NORMAL
    n = freedom[finite]
    angle, scale = np.arctan(z / np.sqrt(n)), _scale(n)
    for _ in range(_STEPS):
        angle = angle + (level - _share_within(angle, n, scale)) / (scale * np.cos(angle) ** (n - 1))
    result[finite] = np.sqrt(n) * np.tan(angle)
    return result


def student_chance(t: float, freedom: float) -> float:
    """P(T <= t)."""
    if freedom >= _NORMAL:
        return NormalDist().cdf(t)
    n = np.array([freedom])
    share = float(_share_within(np.arctan(np.array([abs(t)]) / np.sqrt(n)), n, _scale(n))[0])
    return 0.5 + math.copysign(0.5 * min(share, 1.0), t)


def _scale(n: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.exp([math.log(2 / math.sqrt(math.pi)) + math.lgamma((f + 1) / 2) - math.lgamma(f / 2) for f in n])


def _share_within(
    angle: NDArray[np.float64], n: NDArray[np.float64], scale: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Chance of an angle of at most `angle` [m], by quadrature."""
    nodes, weights = _quadrature()
    return scale * angle * (np.cos(angle[:, None] * (nodes + 1) / 2) ** (n[:, None] - 1) @ weights) / 2


@cache
def _quadrature() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Nodes and weights of Gauss-Legendre quadrature, cached since they take an eigenvalue problem."""
    return np.polynomial.legendre.leggauss(_NODES)
