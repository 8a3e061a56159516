"""False discovery rate over many slices and models (Benjamini and Hochberg 1995)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_IDLE: Final = 2.5
"""Below this |z| a p-value is not looked up: it is taken as 1."""


def p_values(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Two-sided probabilities of a standard normal value as far from 0; 1 for those within 2.5."""
    result = np.ones(z.shape)
    far = np.abs(z) > _IDLE
    result[far] = [math.erfc(value / math.sqrt(2)) for value in np.abs(z[far]).tolist()]
    return result


def limit(p: NDArray[np.float64], rate: float, tests: int) -> float:
    """The largest p-value that is a discovery at this rate among `tests`, or 0 where there is none."""
    ranked = np.sort(p[p <= rate])
    passed = np.flatnonzero(ranked <= rate * np.arange(1, len(ranked) + 1) / max(1, tests))
    return float(ranked[passed[-1]]) if len(passed) else 0.0
