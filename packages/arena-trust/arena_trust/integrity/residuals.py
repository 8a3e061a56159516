"""Residuals of slices: each model's wins, or losses, in a slice beyond those that the board of other votes expects."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from arena_rating.counts import ratio
from arena_trust.integrity.cast_votes import SCORES, UNKNOWN, CastVotes
from arena_trust.integrity.reference import Counts, fit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

LEAST_VOTES: Final = 12
"""Votes of a slice on a model from which their sum is nearly normal."""
LIKE_OTHERS: Final = 150
"""Weight in votes of the share of ties of all votes in the estimate of a slice's share."""
_LEAST_CHANCE: Final = 0.02
"""Least chance of a win, so that no vote is impossible."""
LEAST_INFORMATION: Final = 10.0
"""Information of the other votes on a model (about 50 votes) below which a slice is not tested."""
MOST_VOICE: Final = 4.0
"""Largest number of votes of a judging slice, in medians of the slices."""
LEAST_VOICE: Final = 0.02
"""Share of all votes that a judging slice may have in any case."""
LEAST_SLICES: Final = 5
"""Slices from which the limits of `MOST_VOICE` and `LEAST_VOICE` apply."""
_TRIM: Final = 0.75
"""Share of squared values in a trimmed mean: an attack deviates on few models or slices."""
_TRIMMED: Final = 0.369
"""Mean of the lowest three quarters of squared standard normal values."""
_TRIMMED_ERROR: Final = 1.05
"""Relative standard error of one such value."""


@dataclass(frozen=True, slots=True, eq=False)
class HeardVotes:
    """The k votes that keep their weight, with the expectations of their own board.

    Attributes:
        rows: int64 [k], indices in the log.
        sides: int64 [2, k], the left and the right model.
        won: bool [2, k], whether the side won; in a tie neither did.
        chance: float64 [2, k], the side's expected score.
        spread: float64 [2, k], variance of `won`.
        ties: Share of ties.
        models: Number of models m.
        estimate: float64 [m + 1], the board, a starting point for the next one.
    """

    rows: NDArray[np.intp]
    sides: NDArray[np.int64]
    won: NDArray[np.bool_]
    chance: NDArray[np.float64]
    spread: NDArray[np.float64]
    ties: float
    models: int
    estimate: NDArray[np.float64]

    @classmethod
    def judge(cls, log: CastVotes, rows: NDArray[np.intp], start: NDArray[np.float64] | None = None) -> Self:
        """Fit the board of these rows, and take expectations from it."""
        size = len(log.names)
        sides = np.stack([log.left[rows], log.right[rows]]).astype(np.int64)
        score, pair = SCORES[log.outcome[rows]], sides[0] * size + sides[1]
        votes, scores = (
            np.bincount(pair, column, size**2).reshape(size, size).astype(np.float64)
            for column in (np.ones(len(pair)), score)
        )
        board = fit(Counts(votes, scores), start)
        chance_left = board.chance.ravel()[pair]
        chance, is_win = np.stack([chance_left, 1 - chance_left]), np.stack([score == 1, score == 0])
        ties = float((score == SCORES[-1]).mean()) if len(rows) else 0.0
        wins = np.clip(chance - ties / 2, _LEAST_CHANCE, 1 - _LEAST_CHANCE)
        return cls(rows, sides, is_win, chance, wins * (1 - wins), ties, size, board.estimate)

    def tables(self, code: NDArray[np.integer], slices: int) -> tuple[SliceTable, SliceTable]:
        """Tables of wins and of losses, from the slice of each vote, `UNKNOWN` for none.

        A tie is neither, since attackers never tie. Expected wins allow for the slice's own share of ties.
        """
        rows = np.flatnonzero(code != UNKNOWN)
        ties = self._ties(code[rows], rows, slices)
        columns = self.won - self.chance, self.spread, np.ones(self.sides.shape)
        wins, losses = (
            self._table(code, rows, ties, [column[order] for column in columns]) for order in ([0, 1], [1, 0])
        )
        return wins, losses

    def _ties(self, code: NDArray[np.integer], rows: NDArray[np.intp], slices: int) -> NDArray[np.float64]:
        """Share of ties by slice [slices], shrunk towards that of all votes."""
        tie_count = np.bincount(code, ~self.won[:, rows].any(axis=0), slices)
        return (tie_count + LIKE_OTHERS * self.ties) / (np.bincount(code, minlength=slices) + LIKE_OTHERS)

    def _table(
        self,
        code: NDArray[np.integer],
        rows: NDArray[np.intp],
        ties: NDArray[np.float64],
        columns: Sequence[NDArray[np.float64]],
    ) -> SliceTable:
        """The table of sums by slice and model, from the columns (excess, information, 1) by side."""
        keys, size = code[rows] * self.models + self.sides[:, rows], len(ties) * self.models
        excess, information, votes = (_sums(keys, column[:, rows], size).reshape(len(ties), -1) for column in columns)
        excess_of_all, total, votes_of_all = (_sums(self.sides, column, self.models) for column in columns)
        outside = excess_of_all - excess.sum(axis=0) + (votes_of_all - votes.sum(axis=0)) * self.ties / 2
        return SliceTable(excess + votes * ties[:, None] / 2, information, votes, outside, total)


def _sums(keys: NDArray[np.int64], column: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Sums of a column [2, k] by key, over both sides, [size]."""
    left, right = (np.bincount(key, side, size) for key, side in zip(keys, column, strict=True))
    return (left + right).astype(np.float64)


@dataclass(frozen=True, eq=False)
class SliceTable:
    """Sums by slice and model.

    Attributes:
        excess: float64 [slices, m], wins (or losses) beyond those that the board expects.
        information: float64 [slices, m], information of the slice's votes.
        votes: float64 [slices, m], number of the slice's votes.
        outside: float64 [m], `excess` of the votes without a slice.
        total: float64 [m], information of all votes.
    """

    excess: NDArray[np.float64]
    information: NDArray[np.float64]
    votes: NDArray[np.float64]
    outside: NDArray[np.float64]
    total: NDArray[np.float64]

    @cached_property
    def _voices(self) -> NDArray[np.float64]:
        """Weight in (0, 1] of each slice's votes on each model when they judge other slices, [slices, m].

        It limits a slice to four times the median slice's votes, or 2 % of all, so that few slices cannot outvote many.
        """
        if len(self.votes) < LEAST_SLICES:
            return np.ones(self.votes.shape)
        cap = np.maximum(MOST_VOICE * _lower_median(self.votes), LEAST_VOICE * self.votes.sum(axis=0))
        return np.minimum(1.0, cap / np.maximum(self.votes, 1))

    @property
    def slices(self) -> NDArray[np.float64]:
        """Number of slices with votes on each model [m]; votes without a slice count as slices of median size."""
        remainder = self.total - self.information.sum(axis=0)
        return (self.information > 0).sum(axis=0) + ratio(remainder, _lower_median(self.information)[0], 0.0)

    def _sum_others(
        self, column: NDArray[np.float64], totals: NDArray[np.float64], power: int = 1
    ) -> NDArray[np.float64]:
        """Sums of a column over the votes outside each slice [slices, m], weighted by the voices of their slices."""
        sums = self._voices**power * column
        return totals - column.sum(axis=0) + sums.sum(axis=0) - sums

    @cached_property
    def others(self) -> NDArray[np.float64]:
        """Information of the votes outside each slice [slices, m], weighted by voices."""
        return np.maximum(self._sum_others(self.information, self.total), 0.0)

    @property
    def tested(self) -> NDArray[np.bool_]:
        """Whether there are enough votes inside and outside the slice, bool [slices, m]."""
        return (self.votes >= LEAST_VOTES) & (self.others >= LEAST_INFORMATION)

    @property
    def variance(self) -> NDArray[np.float64]:
        """Variance of `shift` [slices, m], infinite without information."""
        outside = ratio(np.maximum(self._sum_others(self.information, self.total, 2), 0.0), self.others**2, np.inf)
        return ratio(np.ones_like(self.information), self.information, np.inf) + outside

    @property
    def shift(self) -> NDArray[np.float64]:
        """The model's strength inside the slice minus that outside [slices, m], natural units, to first order."""
        outside = self._sum_others(self.excess, self.outside + self.excess.sum(axis=0))
        return ratio(self.excess, self.information, 0.0) - ratio(outside, self.others, 0.0)

    def z(self) -> NDArray[np.float64]:
        """`shift` in standard errors [slices, m], 0 where it is not tested."""
        return np.where(self.tested, ratio(self.shift, np.sqrt(self.variance), 0.0), 0.0)


def _lower_median(column: NDArray[np.number]) -> NDArray[np.float64]:
    """The lower median of the values above 0 in each column, [1, m]."""
    estimate = len(column) - 1 - (column > 0).sum(axis=0) // 2
    return np.take_along_axis(np.sort(column, axis=0), estimate[None], axis=0).astype(np.float64)


def inflation(z: NDArray[np.float64]) -> float:
    """Trimmed mean of squared z values over that of standard normal ones, at least 1 (as in genomic control).

    Two standard errors are subtracted, so that honest logs give 1.
    """
    squares = np.sort(z**2)[: int(_TRIM * len(z))]
    return (
        max(1.0, float(squares.mean()) / _TRIMMED - 2 * _TRIMMED_ERROR / len(squares) ** 0.5) if len(squares) else 1.0
    )
