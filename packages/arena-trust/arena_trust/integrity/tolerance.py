"""Tolerance of taste: the standard errors of slices whose people may honestly like other models."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from arena_trust.integrity.pooling import share
from arena_trust.integrity.taste import LEAST_VOTES, middle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena_trust.integrity.pooling import Residuals
    from arena_trust.integrity.slices import Division


def tolerant(division: Division, found: Residuals, whole: Residuals | None) -> Residuals:
    """Widen the standard errors by the variance of what slices honestly like.

    `whole` has the residuals of the languages that the slices of a crossed division are parts of.
    """
    said = found.votes >= LEAST_VOTES
    error = share(np.abs(found.excess), np.abs(found.z), np.inf)
    wide = np.sqrt(error**2 + _taste(division, found, whole)[:, None])
    return replace(found, z=np.where(said, share(found.excess, wide), 0.0))


def _taste(division: Division, found: Residuals, whole: Residuals | None) -> NDArray[np.float64]:
    """The variance of what each slice likes [slices]: its own, or that of the rest of its language if it is less."""
    if division.parent is None or whole is None:
        return found.taste
    rest = [of_whole[division.parent] - part for of_whole, part in zip(_sums(whole), _sums(found), strict=True)]
    enough = (rest[0].sum(axis=1) >= LEAST_VOTES * rest[0].shape[1]) & (division.parent >= 0)
    return np.where(enough, np.minimum(middle(*rest), found.taste), found.taste)


def _sums(found: Residuals) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Votes, summed residuals and their variances."""
    total = found.excess * found.votes
    return found.votes, total, share(total, found.z) ** 2
