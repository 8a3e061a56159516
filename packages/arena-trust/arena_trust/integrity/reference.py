"""The reference board that judges slices: strengths and left-side advantage, from counts of ordered pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

PRIOR: Final = 0.5
"""Weight of each model's virtual draw, in battles, which keeps all strengths finite."""
_MAX_STEPS: Final = 30
_TOLERANCE: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Sums by ordered pair (left, right), float64 [m, m] each: votes, and score of the left side."""

    votes: NDArray[np.float64]
    score: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """A fit in natural units.

    Attributes:
        chance: float64 [m, m], expected score of the left model by (left, right).
        estimate: float64 [m + 1], strengths, then the advantage of the left side.
    """

    chance: NDArray[np.float64]
    estimate: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Excess:
    """Sums by model, float64 [m] each: votes, score beyond the expected one, and variance of the expected one."""

    votes: NDArray[np.float64]
    score: NDArray[np.float64]
    spread: NDArray[np.float64]


def excess(counts: Counts, estimate: NDArray[np.float64], without: int | None = None) -> Excess:
    """Sums by model against estimates [m + 1], optionally without the votes on one model."""
    votes = counts.votes.copy()
    if without is not None:
        votes[without] = votes[:, without] = 0
    chance = _chances(estimate)
    residual, spread = np.where(votes > 0, counts.score, 0) - votes * chance, votes * chance * (1 - chance)
    both = (column.sum(axis=1) + column.sum(axis=0) for column in (votes, spread))
    return Excess(next(both), residual.sum(axis=1) - residual.sum(axis=0), next(both))


def _chances(estimate: NDArray[np.float64]) -> NDArray[np.float64]:
    """Expected scores of the left model by (left, right), [m, m]."""
    theta = estimate[:-1]
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * (theta[:, None] - theta + estimate[-1])))


def fit(counts: Counts, start: NDArray[np.float64] | None = None) -> Reference:
    """Maximise the likelihood by Newton's method; the weak prior makes the maximum unique."""
    size = len(counts.votes)
    estimate = np.zeros(size + 1) if start is None else start
    for _ in range(_MAX_STEPS):
        chance, gradient, hessian = _derivatives(counts, estimate)
        step = np.linalg.solve(hessian, gradient)
        longest = float(np.abs(step).max())
        estimate = estimate + step / max(1.0, longest)
        if longest <= _TOLERANCE:
            break
    chance, *_ = _derivatives(counts, estimate)
    return Reference(chance, estimate)


def _derivatives(
    counts: Counts, estimate: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    size = len(counts.votes)
    theta, chance = estimate[:size], _chances(estimate)
    residual, information = counts.score - counts.votes * chance, counts.votes * chance * (1 - chance)
    win = 0.5 + 0.5 * np.tanh(0.5 * theta)
    gradient, hessian = np.empty(size + 1), np.zeros((size + 1, size + 1))
    gradient[:size] = residual.sum(axis=1) - residual.sum(axis=0) + PRIOR * (0.5 - win)
    gradient[size] = residual.sum()
    symmetric = information + information.T
    hessian[:size, :size] = np.diag(symmetric.sum(axis=1) + PRIOR * win * (1 - win)) - symmetric
    hessian[:size, size] = hessian[size, :size] = information.sum(axis=1) - information.sum(axis=0)
    hessian[size, size] = information.sum() + PRIOR
    return chance, gradient, hessian
