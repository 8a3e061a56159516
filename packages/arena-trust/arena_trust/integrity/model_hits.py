"""The votes on one model, its expected scores by a board, and its strength by some of these votes alone."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final, Self

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PRIOR = 0.5
_STEPS = 30
_TOLERANCE = 1e-6
_SIDES: Final = np.array([-1.0, 1.0])


@dataclass(frozen=True, slots=True, eq=False)
class ModelHits:
    """The k votes on a model.

    Attributes:
        model: Its index.
        rows: int64 [k], indices in the log.
        score: float64 [k], its score.
        opponent: int64 [k], the other model.
        cell: int64 [k], twice the opponent, and 1 more where the model is on the left: all on which expected scores
            depend.
    """

    model: int
    rows: NDArray[np.intp]
    score: NDArray[np.float64]
    opponent: NDArray[np.int64]
    cell: NDArray[np.int64]

    def of(self, mask: NDArray[np.bool_]) -> Self:
        """Those of a mask [k]."""
        columns = [getattr(self, entry.name)[mask] for entry in fields(self)[1:]]
        return type(self)(self.model, *columns)

    def with_ties(self, score: float) -> Self:
        """The same votes with another score of each tie."""
        return replace(self, score=np.where(self.score == 0.5, score, self.score))

    def chances(self, board: NDArray[np.float64], strength: float | None = None) -> NDArray[np.float64]:
        """Expected scores [2m] by cell, by a board [m + 1], with another strength of the model if one is given."""
        pull = board[self.model] if strength is None else strength
        return (0.5 + 0.5 * np.tanh(0.5 * (pull - board[:-1, None] + _SIDES * board[-1]))).ravel()

    def expected(self, board: NDArray[np.float64], strength: float | None = None) -> NDArray[np.float64]:
        """The same by vote [k]."""
        return self.chances(board, strength)[self.cell]

    def strength(self, board: NDArray[np.float64], weight: NDArray[np.float64] | None = None) -> float:
        """The model's strength by these votes alone, with weights [k] if any, all others as on the board."""
        columns = (np.ones(len(self.cell)), self.score) if weight is None else (weight, weight * self.score)
        weights, scores = (np.bincount(self.cell, column, 2 * len(board) - 2) for column in columns)
        strength = float(board[self.model])
        for _ in range(_STEPS):
            chance = self.chances(board, strength)
            win = 0.5 + 0.5 * math.tanh(0.5 * strength)
            gradient = float((scores - weights * chance).sum()) + _PRIOR * (0.5 - win)
            step = gradient / (float((weights * chance * (1 - chance)).sum()) + _PRIOR / 4)
            step /= max(1.0, abs(step))
            strength += step
            if abs(step) < _TOLERANCE:
                break
        return strength
