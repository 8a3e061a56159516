"""The votes of a log that still count in a search, by model, and the board that they make.

A log is read once. What a finding takes is taken off the sums by pair of models, which are numbers of votes and of
halves: they are exact, so that boards have the same bits as those of a sum over all votes that are left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from arena_trust.integrity.cast_votes import SCORES, CastVotes
from arena_trust.integrity.model_hits import ModelHits
from arena_trust.integrity.reference import Counts, Excess, excess, fit

if TYPE_CHECKING:
    from numpy.typing import NDArray


class RemainingVotes:
    """The votes that count: `mask` [n], by default all of a log."""

    def __init__(self, log: CastVotes) -> None:
        size = len(log.names)
        self.log = log
        self.mask = np.ones(len(log), np.bool_)
        self._score = SCORES[log.outcome]
        self._pair = log.left.astype(np.int64) * size + log.right
        self._counts = self._sums(np.arange(len(log)))
        self._hits = _by_model(log, self._score)
        self._stale: set[int] = set()
        self._board: NDArray[np.float64] | None = None

    @property
    def board(self) -> NDArray[np.float64]:
        """The estimates [m + 1] by these votes."""
        if self._board is None:
            self._board = fit(self._counts).estimate
        return self._board

    def board_without(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """The estimates without some of these votes."""
        return fit(self._less(rows), self.board).estimate

    def take(self, rows: NDArray[np.intp]) -> None:
        """Take away votes."""
        self.mask[rows] = False
        self._counts, self._board = self._less(rows), None
        self._stale.update(self.log.left[rows].tolist(), self.log.right[rows].tolist())

    def hits(self, model: int) -> ModelHits:
        """The votes on a model."""
        if model in self._stale:
            hits = self._hits[model]
            self._hits[model] = hits.of(self.mask[hits.rows])
            self._stale.remove(model)
        return self._hits[model]

    def excess(self, part: NDArray[np.bool_], without: int | None = None) -> tuple[Excess, Excess]:
        """The excess of each model in a part [n] and outside it, from sums by pair, optionally without one model."""
        is_small = 2 * np.count_nonzero(part) <= len(part)
        rows = np.flatnonzero((part if is_small else ~part) & self.mask)
        sides = [excess(counts, self.board, without) for counts in (self._sums(rows), self._less(rows))]
        return (sides[0], sides[1]) if is_small else (sides[1], sides[0])

    def _less(self, rows: NDArray[np.intp]) -> Counts:
        lost = self._sums(rows)
        return Counts(self._counts.votes - lost.votes, self._counts.score - lost.score)

    def _sums(self, rows: NDArray[np.intp]) -> Counts:
        size = len(self.log.names)
        pair, columns = self._pair[rows], (np.ones(len(rows)), self._score[rows])
        votes, scores = (
            np.bincount(pair, column, size**2).reshape(size, size).astype(np.float64) for column in columns
        )
        return Counts(votes, scores)


def _by_model(log: CastVotes, score: NDArray[np.float64]) -> list[ModelHits]:
    """The votes on each model, by ascending row."""
    sides = np.stack([log.left, log.right], axis=1).ravel()
    order = np.argsort(sides.astype(np.min_scalar_type(len(log.names))), kind="stable")
    ends = np.bincount(sides, minlength=len(log.names)).cumsum()
    return [_hits_of(log, score, model, places) for model, places in enumerate(np.split(order, ends[:-1]))]


def _hits_of(log: CastVotes, score: NDArray[np.float64], model: int, places: NDArray[np.intp]) -> ModelHits:
    """The votes on a model at these places, of which each vote has two, first that of its left side."""
    rows, is_left = places >> 1, (places & 1) == 0
    opponent = np.where(is_left, log.right[rows], log.left[rows]).astype(np.int64)
    scores = np.where(is_left, score[rows], 1 - score[rows])
    return ModelHits(model, rows, scores, opponent, 2 * opponent + is_left)
