"""Random numbers of votes per person, for honest voters and attackers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.simulation.attack_kinds import Quota

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TAIL: Final = 1.2
"""Standard deviation of the logarithm of heavy-tailed numbers."""
_MAX_MEANS: Final = 20
"""Largest heavy-tailed number, in means."""


def draw_quotas(quota: Quota, people: int, mean: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """The number of votes of each person, at least 1; `EXACT` does not use `rng`."""
    match quota:
        case Quota.EXACT:
            quotas = np.full(people, float(round(mean)))
        case Quota.GEOMETRIC:
            quotas = rng.geometric(1 / mean, people)
        case Quota.UNIFORM:
            quotas = rng.integers(1, round(2 * mean) + 1, people)
        case Quota.POISSON:
            quotas = rng.poisson(mean, people)
        case Quota.HEAVY:
            quotas = np.minimum(np.rint(mean * np.exp(rng.normal(-(_TAIL**2) / 2, _TAIL, people))), _MAX_MEANS * mean)
    return np.maximum(quotas, 1).astype(np.int64)
