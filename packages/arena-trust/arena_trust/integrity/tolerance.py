"""Standard errors of slices in divisions with honest preference heterogeneity."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from arena_rating.ratios import ratio
from arena_trust.integrity.heterogeneity import LEAST_VOTES, preference_variance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena_trust.integrity.pooling import Residuals
    from arena_trust.integrity.slices import VoteDivision


def widen_errors(division: VoteDivision, residuals: Residuals, whole: Residuals | None) -> Residuals:
    """Add the variance of honest preferences to the standard errors, which shrinks every z.

    `whole` has the residuals of the languages that the slices of a crossed division are parts of.
    """
    error = ratio(np.abs(residuals.excess), np.abs(residuals.z), np.inf)
    wide = np.sqrt(error**2 + _heterogeneity(division, residuals, whole)[:, None])
    return replace(residuals, z=np.where(residuals.votes >= LEAST_VOTES, ratio(residuals.excess, wide, 0.0), 0.0))


def _heterogeneity(division: VoteDivision, part: Residuals, whole: Residuals | None) -> NDArray[np.float64]:
    """Variance of each slice's preferences [slices]: its own, or that of the rest of its language if it is less."""
    if division.parent is None or whole is None:
        return part.heterogeneity
    rest = [of_whole[division.parent] - of_part for of_whole, of_part in zip(_sums(whole), _sums(part), strict=True)]
    enough = (rest[0].sum(axis=1) >= LEAST_VOTES * rest[0].shape[1]) & (division.parent >= 0)
    return np.where(enough, np.minimum(preference_variance(*rest), part.heterogeneity), part.heterogeneity)


def _sums(residuals: Residuals) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Votes, summed residuals and their variances."""
    total = residuals.excess * residuals.votes
    return residuals.votes, total, ratio(total, residuals.z, 0.0) ** 2
