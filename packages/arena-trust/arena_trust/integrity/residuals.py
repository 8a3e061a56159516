"""Residuals of slices: how far the votes of each slice are from a board without them, by model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from arena_rating.counts import ratio
from arena_trust.integrity.cast_votes import SCORES, UNKNOWN, CastVotes
from arena_trust.integrity.reference import Counts, fit

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_VOTES: Final = 12
"""Votes of a slice on a model from which their sum is nearly normal."""
LEAST_INFORMATION: Final = 10.0
"""Information of all other votes on the model, about 50 votes, below which nobody can judge."""
MOST_VOICE: Final = 4.0
LEAST_VOICE: Final = 0.02
"""Share of all votes that each slice may have in any case."""
LEAST_SLICES: Final = 5
"""Slices from which the middle one tells what is usual."""
_KEPT: Final = 0.75
"""Share of squared values that a trimmed mean keeps: an attack deviates on few models or slices."""
_TRIMMED: Final = 0.369
"""Mean of the lowest three quarters of squared standard normal values."""
_TRIMMED_ERROR: Final = 1.05
"""Relative standard error of the mean of one such value."""


@dataclass(frozen=True, slots=True, eq=False)
class HeardVotes:
    """The votes that are still heard, judged by the board that they make.

    Attributes:
        rows: int64 [k], their places in the log.
        left: int64 [k], as `right` the models.
        score: float64 [k], of the left side.
        chance: float64 [k], expected score.
        spread: float64 [k], chance (1 - chance).
        noise: Variance of a score over its `spread`: below 1 as ties vary less.
        models: Number of models m.
        place: float64 [m + 1], the board, from which the next one starts.
    """

    rows: NDArray[np.intp]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    score: NDArray[np.float64]
    chance: NDArray[np.float64]
    spread: NDArray[np.float64]
    noise: float
    models: int
    place: NDArray[np.float64]

    @classmethod
    def judge(cls, log: CastVotes, rows: NDArray[np.intp], start: NDArray[np.float64] | None = None) -> Self:
        """Fit the board of these rows, and judge them by it."""
        size = len(log.names)
        left, right = log.left[rows].astype(np.int64), log.right[rows].astype(np.int64)
        score, pair = SCORES[log.outcome[rows]], left * size + right
        votes, scores = (
            np.bincount(pair, column, size**2).reshape(size, size).astype(np.float64)
            for column in (np.ones(len(pair)), score)
        )
        board = fit(Counts(votes, scores), start)
        chance, spread = board.chance.ravel()[pair], board.spread.ravel()[pair]
        noise = float(((score - chance) ** 2).sum() / max(spread.sum(), 1e-9))
        return cls(rows, left, right, score, chance, spread, noise, size, board.place)

    def table(self, code: NDArray[np.int64], slices: int) -> SliceTable:
        """The sums of so many slices, from the slice of each heard vote, `UNKNOWN` for none."""
        rows = np.flatnonzero(code != UNKNOWN)
        shape, size = (slices, self.models), slices * self.models
        left, right = (code[rows] * self.models + side[rows] for side in (self.left, self.right))
        rest, spread = (self.score - self.chance)[rows], self.spread[rows]
        return SliceTable(
            _sums(left, rest, right, -rest, size).reshape(shape),
            _sums(left, spread, right, spread, size).reshape(shape),
            (np.bincount(left, minlength=size) + np.bincount(right, minlength=size)).reshape(shape),
            _sums(self.left, self.spread, self.right, self.spread, self.models),
            self.noise,
        )


def _sums(
    left: NDArray[np.int64],
    of_left: NDArray[np.float64],
    right: NDArray[np.int64],
    of_right: NDArray[np.float64],
    size: int,
) -> NDArray[np.float64]:
    """Sums over the votes with each key on either side [size]."""
    return (np.bincount(left, of_left, size) + np.bincount(right, of_right, size)).astype(np.float64)


@dataclass(frozen=True, eq=False)
class SliceTable:
    """Sums of slices by model.

    Attributes:
        rest: float64 [slices, m], residuals: above 0 the model did better than elsewhere.
        held: float64 [slices, m], information of the slice's votes.
        votes: int64 [slices, m].
        total: float64 [m], information of all votes.
        noise: As in `HeardVotes`.
    """

    rest: NDArray[np.float64]
    held: NDArray[np.float64]
    votes: NDArray[np.int64]
    total: NDArray[np.float64]
    noise: float

    @cached_property
    def _voices(self) -> NDArray[np.float64]:
        """The share of each slice's votes on each model [slices, m] by which other slices are judged.

        None has more than four times the votes of the middle one, or 2 % of all, so that no few outvote all others.
        """
        if len(self.votes) < LEAST_SLICES:
            return np.ones(self.votes.shape)
        cap = np.maximum(MOST_VOICE * _middle(self.votes), LEAST_VOICE * self.votes.sum(axis=0))
        return np.minimum(1.0, cap / np.maximum(self.votes, 1))

    @property
    def slices(self) -> NDArray[np.float64]:
        """Number of slices with votes on each model [m]; votes without a slice are as many as the middle one needs."""
        rest = self.total - self.held.sum(axis=0)
        return (self.held > 0).sum(axis=0) + ratio(rest, _middle(self.held)[0], 0.0)

    def _heard(self, column: NDArray[np.float64], whole: NDArray[np.float64], power: int = 1) -> NDArray[np.float64]:
        """The sum of a column over all votes outside of each slice [slices, m], with the voices of the other slices."""
        voiced = self._voices**power * column
        return whole - column.sum(axis=0) + voiced.sum(axis=0) - voiced

    @cached_property
    def others(self) -> NDArray[np.float64]:
        """Information of the votes outside of the slice [slices, m], as much as they are heard."""
        return np.maximum(self._heard(self.held, self.total), 0.0)

    @property
    def tested(self) -> NDArray[np.bool_]:
        """Where there are votes enough in the slice and outside of it, bool [slices, m]."""
        return (self.votes >= LEAST_VOTES) & (self.others >= LEAST_INFORMATION)

    @property
    def variance(self) -> NDArray[np.float64]:
        """Variance of `shift` [slices, m], infinite where nothing is known."""
        elsewhere = ratio(np.maximum(self._heard(self.held, self.total, 2), 0.0), self.others**2, np.inf)
        return self.noise * (ratio(np.ones_like(self.held), self.held, np.inf) + elsewhere)

    @property
    def shift(self) -> NDArray[np.float64]:
        """The model's strength in the slice minus that in the others, natural units, to the first order."""
        elsewhere = self._heard(self.rest, np.zeros_like(self.total))
        return ratio(self.rest, self.held, 0.0) - ratio(elsewhere, self.others, 0.0)

    def z(self) -> NDArray[np.float64]:
        """`shift` in standard errors, 0 where it is not tested."""
        return np.where(self.tested, ratio(self.shift, np.sqrt(self.variance), 0.0), 0.0)


def _middle(column: NDArray[Any]) -> NDArray[np.float64]:
    """The lower median of the values above 0 in each column [1, m]."""
    place = len(column) - 1 - (column > 0).sum(axis=0) // 2
    return np.take_along_axis(np.sort(column, axis=0), place[None], axis=0).astype(np.float64)


def inflation(z: NDArray[np.float64]) -> float:
    """How much larger squared values are than those of honest voters alone, at least 1 (genomic control, trimmed).

    Two standard errors are taken off, so that honest logs are not shrunk.
    """
    squares = np.sort(z**2)[: int(_KEPT * len(z))]
    return (
        max(1.0, float(squares.mean()) / _TRIMMED - 2 * _TRIMMED_ERROR / len(squares) ** 0.5) if len(squares) else 1.0
    )
