"""Preference heterogeneity: the variance by which voters of a slice honestly prefer other models than the rest do.

Honest differences are spread over many models and an attack deviates on few, so the median over models estimates it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_VOTES: Final = 8
"""Votes from which a model's difference is counted."""
_NORMAL: Final = 2.198
"""1 over the median of a squared standard normal value."""


def preference_variance(
    votes: NDArray[np.float64], total: NDArray[np.float64], variance: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Variance of the true mean residuals of each slice [slices], estimated from the median over its models.

    Arguments are float64 [slices, m]: votes, summed residuals, and the variances of these sums.
    """
    counted = votes >= LEAST_VOTES
    true = (total**2 - variance) / np.where(counted, votes, 1.0) ** 2
    return _NORMAL * _median(np.where(counted, np.maximum(true, 0.0), np.nan))


def _median(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lower median of each row without its nans; 0 for a row of nans."""
    ranked, counts = np.sort(table, axis=1), (~np.isnan(table)).sum(axis=1)
    return np.where(counts > 0, ranked[np.arange(len(table)), np.maximum(counts - 1, 0) // 2], 0.0)
