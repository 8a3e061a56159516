"""Omnibus test of slices: whether their votes differ from the others on their models taken together.

An attack on many models shows on each of them a little; the sum of squares over all shows it long before one does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from arena_rating.ratios import ratio
from arena_trust.integrity.false_discovery_rate import limit, p_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena_trust.integrity.pooling import Residuals

LEAST_VOTES: Final = 4.0
"""Votes on the mean model below which a sum of squares says nothing yet."""
LEAST_EFFECT: Final = 0.05
"""Smallest root mean square of true differences that counts as large."""


def omnibus_discoveries(residuals: Residuals, rate: float) -> NDArray[np.bool_]:
    """Slices that are discoveries of the test at this false discovery rate."""
    large = residuals.votes.sum(axis=1) >= LEAST_VOTES * (residuals.votes > 0).sum(axis=1)
    p = (
        p_values(np.where(large & (_effect(residuals) >= LEAST_EFFECT**2), np.maximum(_normal(residuals), 0.0), 0.0))
        / 2
    )
    return p <= limit(p, rate, int(large.sum()))


def _normal(residuals: Residuals) -> NDArray[np.float64]:
    """The sum of squares of each slice [slices] as a standard normal value.

    Residuals of a vote's two models cancel, so one degree of freedom is lost; the cube root of a chi-square is nearly
    normal (Wilson and Hilferty 1931).
    """
    models = (residuals.votes > 0).sum(axis=1).astype(np.float64)
    freedom = np.maximum(models - 1, 1)
    total = (residuals.z**2).sum(axis=1) * ratio(freedom, models, 0.0)
    spread = 2 / (9 * freedom)
    return (np.cbrt(total / freedom) - (1 - spread)) / np.sqrt(spread)


def _effect(residuals: Residuals) -> NDArray[np.float64]:
    """Mean square of true differences [slices]."""
    noise = ratio(np.abs(residuals.excess), np.abs(residuals.z), 0.0) ** 2
    return ratio((residuals.excess**2 - noise).sum(axis=1), (residuals.votes > 0).sum(axis=1).astype(np.float64), 0.0)
