"""The board that slices are judged by: strengths and pull of the left side, from weighted counts of ordered pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

PRIOR: Final = 0.5
"""Battles of each model against a virtual average one, so that all strengths are finite."""
_STEPS: Final = 30
_NEAR: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Weighted sums per ordered pair (left, right), float64 [m, m] each: votes, and score of the left side."""

    votes: NDArray[np.float64]
    score: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """A fit in natural units.

    Attributes:
        chance: float64 [m, m], expected score of the left model by (left, right).
        spread: float64 [m, m], chance (1 - chance).
        place: float64 [m + 1], strengths, then the pull of the left side.
    """

    chance: NDArray[np.float64]
    spread: NDArray[np.float64]
    place: NDArray[np.float64]


def fit(counts: Counts, start: NDArray[np.float64] | None = None) -> Reference:
    """Maximise the likelihood by Newton's method; with a weak prior there is always one maximum."""
    size = len(counts.votes)
    place = np.zeros(size + 1) if start is None else start
    for _ in range(_STEPS):
        chance, slope, curve = _derivatives(counts, place)
        step = np.linalg.solve(curve, slope)
        longest = float(np.abs(step).max())
        place = place + step / max(1.0, longest)
        if longest <= _NEAR:
            break
    chance, *_ = _derivatives(counts, place)
    return Reference(chance, chance * (1 - chance), place)


def _derivatives(
    counts: Counts, place: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    size = len(counts.votes)
    theta = place[:size]
    chance = 0.5 + 0.5 * np.tanh(0.5 * (theta[:, None] - theta + place[size]))
    residual, information = counts.score - counts.votes * chance, counts.votes * chance * (1 - chance)
    win = 0.5 + 0.5 * np.tanh(0.5 * theta)
    slope, curve = np.empty(size + 1), np.zeros((size + 1, size + 1))
    slope[:size] = residual.sum(axis=1) - residual.sum(axis=0) + PRIOR * (0.5 - win)
    slope[size] = residual.sum()
    symmetric = information + information.T
    curve[:size, :size] = np.diag(symmetric.sum(axis=1) + PRIOR * win * (1 - win)) - symmetric
    curve[:size, size] = curve[size, :size] = information.sum(axis=1) - information.sum(axis=0)
    curve[size, size] = information.sum() + PRIOR
    return chance, slope, curve
