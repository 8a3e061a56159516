"""Taste: how much the people of a slice honestly like other models than the rest do.

Who likes other models differs on many of them; an attack differs on few, so the middle one of a slice's models tells.
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


def middle(
    votes: NDArray[np.float64], total: NDArray[np.float64], variance: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Variance of the true mean residuals of each slice [slices], from the middle one of its models.

    Arguments are float64 [slices, m]: votes, summed residuals, and the variances of these sums.
    """
    said = votes >= LEAST_VOTES
    true = (total**2 - variance) / np.where(said, votes, 1.0) ** 2
    return _NORMAL * _median(np.where(said, np.maximum(true, 0.0), np.nan))


def _median(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """The median of each row without its nans; 0 where there is nothing else."""
    ranked, known = np.sort(table, axis=1), (~np.isnan(table)).sum(axis=1)
    return np.where(known > 0, ranked[np.arange(len(table)), np.maximum(known - 1, 0) // 2], 0.0)
