"""Claims about differences of two ratings: bounds that hold at all looks at a growing log at once.

An interval holds at one look: of two equal models looked at 40 times until 2,000 votes, it excludes 0 at some time in a
quarter of the logs. Claims use an asymptotic confidence sequence: with error s, information V = 1 / s^2 and a normal
mixture, |gap| < s sqrt((1 + c/V) ln((1 + V/c) / (1 - level)^2)) at all V at once (Robbins 1970; Waudby-Smith, Arbour,
Sinha, Kennedy and Ramdas 2021), with c = `MIXTURE`, stretched as Student's t is against the normal quantile.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena_rating.clusters import ENOUGH

LEAST_VOTES: Final = 300
"""Votes of a log below which no claim is made about a difference."""
MIXTURE: Final = 30.0
"""Information on a difference (1 / s^2) around which claims are sharpest, about that of 20 models at 20,000 votes."""
_STEPS: Final = 60
"""Halvings of a range, down to the last bits of a float."""


def claim_half_width(error: float, quantile: float, level: float) -> float:
    """Half the width of a claim's bounds in natural units, for an interval of `quantile` errors at `level`."""
    share = MIXTURE * error**2
    boundary = math.sqrt((1 + share) * math.log((1 + 1 / share) / (1 - level) ** 2))
    return boundary * error * quantile / NormalDist().inv_cdf(0.5 + level / 2)


def claim_information(gap: float, quantile: float, level: float) -> float:
    """Information 1 / s^2 from which the bounds of a difference that is not 0 exclude 0; by halving its logarithm."""
    low, high = -50.0, 100.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if claim_half_width(math.exp(-middle / 2), quantile, level) < gap else (middle, high)
    return math.exp(high)


def claimed_pairs(
    rating: NDArray[np.float64],
    error: NDArray[np.floating],
    quantile: NDArray[np.float64],
    clusters: NDArray[np.int64],
    votes: int,
    level: float,
) -> NDArray[np.bool_]:
    """Pairs [m, m] whose difference may be claimed, from ratings [m] and errors [m, m] in natural units.

    `quantile` [m] is half an interval in errors, `clusters` [m] the number of clusters. None is claimed below
    `LEAST_VOTES` votes or `ENOUGH` clusters, where errors are too rough.
    """
    if votes < LEAST_VOTES:
        return np.zeros(error.shape, np.bool_)
    share = MIXTURE * error**2
    with np.errstate(invalid="ignore", divide="ignore"):
        boundary = np.sqrt((1 + share) * np.log((1 + 1 / share) / (1 - level) ** 2))
    stretch = np.maximum(quantile[:, None], quantile) / NormalDist().inv_cdf(0.5 + level / 2)
    half = stretch * boundary * error
    is_enough = np.minimum(clusters[:, None], clusters) >= ENOUGH
    return is_enough & (np.abs(rating[:, None] - rating) > half)
