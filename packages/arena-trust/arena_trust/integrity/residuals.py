"""Residuals of slices: how many more wins, or losses, each model has in them than by the board of the other votes."""

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
"""Votes of a slice at which its share of ties is taken to be half its own, half that of all."""
_RAREST: Final = 0.02
"""Least chance of a win, so that no vote is impossible."""
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
        sides: int64 [2, k], the left and the right model.
        won: bool [2, k], whether the side won; in a tie neither did.
        chance: float64 [2, k], the side's expected score.
        spread: float64 [2, k], variance of `won`.
        ties: Share of ties.
        models: Number of models m.
        place: float64 [m + 1], the board, from which the next one starts.
    """

    rows: NDArray[np.intp]
    sides: NDArray[np.int64]
    won: NDArray[np.bool_]
    chance: NDArray[np.float64]
    spread: NDArray[np.float64]
    ties: float
    models: int
    place: NDArray[np.float64]

    @classmethod
    def judge(cls, log: CastVotes, rows: NDArray[np.intp], start: NDArray[np.float64] | None = None) -> Self:
        """Fit the board of these rows, and judge them by it."""
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
        wins = np.clip(chance - ties / 2, _RAREST, 1 - _RAREST)
        return cls(rows, sides, is_win, chance, wins * (1 - wins), ties, size, board.place)

    def tables(self, code: NDArray[np.int64], slices: int) -> tuple[SliceTable, SliceTable]:
        """The sums of so many slices, from the slice of each heard vote, `UNKNOWN` for none: of wins, and of losses.

        Whoever pushes a model never ties, so that a tie is no win here and no loss. How often the voters of a slice tie
        is their own business: wins are expected by their share of ties.
        """
        rows = np.flatnonzero(code != UNKNOWN)
        ties = self._ties(code[rows], rows, slices)
        columns = self.won - self.chance, self.spread, np.ones(self.sides.shape)
        wins, losses = (
            self._table(code, rows, ties, [column[order] for column in columns]) for order in ([0, 1], [1, 0])
        )
        return wins, losses

    def _ties(self, code: NDArray[np.int64], rows: NDArray[np.intp], slices: int) -> NDArray[np.float64]:
        """The share of ties in each slice [slices], drawn towards that of all votes where the slice has few."""
        tie_count = np.bincount(code, ~self.won[:, rows].any(axis=0), slices)
        return (tie_count + LIKE_OTHERS * self.ties) / (np.bincount(code, minlength=slices) + LIKE_OTHERS)

    def _table(
        self,
        code: NDArray[np.int64],
        rows: NDArray[np.intp],
        ties: NDArray[np.float64],
        columns: Sequence[NDArray[np.float64]],
    ) -> SliceTable:
        """The sums of columns (excess, information, number) by the side that wins (or loses)."""
        keys, size = code[rows] * self.models + self.sides[:, rows], len(ties) * self.models
        excess, information, votes = (_sums(keys, column[:, rows], size).reshape(len(ties), -1) for column in columns)
        totals, total, cast = (_sums(self.sides, column, self.models) for column in columns)
        elsewhere = totals - excess.sum(axis=0) + (cast - votes.sum(axis=0)) * self.ties / 2
        return SliceTable(excess + votes * ties[:, None] / 2, information, votes, elsewhere, total)


def _sums(keys: NDArray[np.int64], column: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Sums of a column over the votes with each key on either side [size]."""
    left, right = (np.bincount(key, side, size) for key, side in zip(keys, column, strict=True))
    return (left + right).astype(np.float64)


@dataclass(frozen=True, eq=False)
class SliceTable:
    """Sums of slices by model.

    Attributes:
        excess: float64 [slices, m], wins (or losses) beyond those expected by the board.
        information: float64 [slices, m], information of the slice's votes.
        votes: float64 [slices, m], their number.
        elsewhere: float64 [m], `excess` of the votes without a slice.
        total: float64 [m], information of all votes.
    """

    excess: NDArray[np.float64]
    information: NDArray[np.float64]
    votes: NDArray[np.float64]
    elsewhere: NDArray[np.float64]
    total: NDArray[np.float64]

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
        remainder = self.total - self.information.sum(axis=0)
        return (self.information > 0).sum(axis=0) + ratio(remainder, _middle(self.information)[0], 0.0)

    def _scale_by_voices(
        self, column: NDArray[np.float64], totals: NDArray[np.float64], power: int = 1
    ) -> NDArray[np.float64]:
        """The sum of a column over all votes outside of each slice [slices, m], with the voices of the other slices."""
        sums = self._voices**power * column
        return totals - column.sum(axis=0) + sums.sum(axis=0) - sums

    @cached_property
    def others(self) -> NDArray[np.float64]:
        """Information of the votes outside of the slice [slices, m], as much as they are heard."""
        return np.maximum(self._scale_by_voices(self.information, self.total), 0.0)

    @property
    def tested(self) -> NDArray[np.bool_]:
        """Where there are votes enough in the slice and outside of it, bool [slices, m]."""
        return (self.votes >= LEAST_VOTES) & (self.others >= LEAST_INFORMATION)

    @property
    def variance(self) -> NDArray[np.float64]:
        """Variance of `shift` [slices, m], infinite where nothing is known."""
        elsewhere = ratio(
            np.maximum(self._scale_by_voices(self.information, self.total, 2), 0.0), self.others**2, np.inf
        )
        return ratio(np.ones_like(self.information), self.information, np.inf) + elsewhere

    @property
    def shift(self) -> NDArray[np.float64]:
        """The model's strength in the slice minus that in the others, natural units, to the first order."""
        elsewhere = self._scale_by_voices(self.excess, self.elsewhere + self.excess.sum(axis=0))
        return ratio(self.excess, self.information, 0.0) - ratio(elsewhere, self.others, 0.0)

    def z(self) -> NDArray[np.float64]:
        """`shift` in standard errors, 0 where it is not tested."""
        return np.where(self.tested, ratio(self.shift, np.sqrt(self.variance), 0.0), 0.0)


def _middle(column: NDArray[np.number]) -> NDArray[np.float64]:
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
