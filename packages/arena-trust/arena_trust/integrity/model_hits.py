"""The votes on one model, its expected scores by a board, and its strength by some of these votes alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from arena_trust.integrity.cast_votes import SCORES, CastVotes
from arena_trust.integrity.reference import Counts, Reference, fit

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PRIOR = 0.5
_STEPS = 30
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class ModelHits:
    """The k votes on a model.

    Attributes:
        model: Its index.
        rows: int64 [k], indices in the log.
        score: float64 [k], its score.
        opponent: int64 [k], the other model.
        side: float64 [k], 1 where the model is on the left, -1 where it is on the right.
    """

    model: int
    rows: NDArray[np.intp]
    score: NDArray[np.float64]
    opponent: NDArray[np.int64]
    side: NDArray[np.float64]

    @classmethod
    def of(cls, log: CastVotes, model: int, heard: NDArray[np.bool_]) -> Self:
        """The votes on a model in the mask `heard`."""
        rows = np.flatnonzero(((log.left == model) | (log.right == model)) & heard)
        is_left, score = log.left[rows] == model, SCORES[log.outcome[rows]]
        opponent = np.where(is_left, log.right[rows], log.left[rows]).astype(np.int64)
        return cls(model, rows, np.where(is_left, score, 1 - score), opponent, np.where(is_left, 1.0, -1.0))

    def expected(self, board: NDArray[np.float64], strength: float | None = None) -> NDArray[np.float64]:
        """Expected scores [k] by a board [m + 1], with another strength of the model if one is given."""
        pull = board[self.model] if strength is None else strength
        return 0.5 + 0.5 * np.tanh(0.5 * (pull - board[self.opponent] + self.side * board[-1]))

    def strength(self, board: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """The model's strength by these votes alone, with weights [k], all others as on the board."""
        strength = float(board[self.model])
        for _ in range(_STEPS):
            chance = self.expected(board, strength)
            win = 0.5 + 0.5 * math.tanh(0.5 * strength)
            gradient = float((weight * (self.score - chance)).sum()) + _PRIOR * (0.5 - win)
            step = gradient / (float((weight * chance * (1 - chance)).sum()) + _PRIOR / 4)
            step /= max(1.0, abs(step))
            strength += step
            if abs(step) < _TOLERANCE:
                break
        return strength


def board_of(log: CastVotes, heard: NDArray[np.bool_], start: NDArray[np.float64] | None = None) -> Reference:
    """The board of the votes in a mask [n]."""
    size, score = len(log.names), SCORES[log.outcome]
    pair = log.left.astype(np.int64) * size + log.right
    votes, scores = (
        np.bincount(pair[heard], column[heard], size**2).reshape(size, size).astype(np.float64)
        for column in (np.ones(len(log)), score)
    )
    return fit(Counts(votes, scores), start)
