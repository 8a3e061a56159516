"""Pooled residuals: differences between slices and a board without their votes.

The residual of a vote is its score minus the expected score. A slice's residuals on a model are summed; the sum's
variance has the votes' own noise, that of the board, and the extra that comes from voters who repeat themselves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_rating.ratios import ratio
from arena_trust.integrity.cast_votes import UNKNOWN, CastVotes
from arena_trust.integrity.distinct_keys import distinct
from arena_trust.integrity.heterogeneity import LEAST_VOTES, preference_variance
from arena_trust.integrity.reference import Counts, Reference, fit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena_trust.integrity.slices import VoteDivision

    Rows = NDArray[np.intp] | NDArray[np.bool_] | slice

POINTS: Final = 400 / math.log(10)
"""Points per natural unit."""
SCORES: Final = np.array([1.0, 0.0, 0.5, 0.5])
"""Score of the left side by outcome."""
KINDS: Final = 6
"""Scores times degrees of trust."""
_DENSE: Final = 1 << 20
"""Number of possible cells up to which a table of all of them is faster than finding those that occur."""
MOST_VOICE: Final = 4.0
"""Times the middle slice's votes that any slice of the same division has in the board that judges these."""
LEAST_VOICE: Final = 0.01
"""Share of all votes that each slice may have in the board that judges its division."""
LEAST_SLICES: Final = 5
"""Slices of a division from which the middle one tells what is usual."""
USUAL: Final = 0.5
"""Share of all voters above which a slice is what is usual, and heard in full."""
_LARGE: Final = 0.03
"""Share of a log's information from which a slice gets a board of its own; below, the first order is exact enough."""


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """The difference of every slice of a division from the other votes, float64 [slices, m] each.

    Attributes:
        votes: Number of votes.
        score: Mean score of the model's side.
        excess: Mean residual: above 0 it did better there than elsewhere.
        z: Summed residual over its standard error; 0 where nothing can be said.
        points: The shift of the model's rating that the slice causes, in points.
        heterogeneity: float64 [slices], variance of true preferences, from votes without the most deviating model.
    """

    votes: NDArray[np.float64]
    score: NDArray[np.float64]
    excess: NDArray[np.float64]
    z: NDArray[np.float64]
    points: NDArray[np.float64]
    heterogeneity: NDArray[np.float64]


class Ballots:
    """The votes of a log as whole numbers: their ordered pair, and their kind by score and trust.

    Votes of one kind are counted, not summed, which is fast and exact.
    """

    def __init__(self, log: CastVotes, doubted: NDArray[np.bool_], trust: float) -> None:
        self.size = len(log.names)
        self.pair = log.left.astype(np.int64) * self.size + log.right
        half = (2 * SCORES).astype(np.int64)[log.outcome]
        self.kind = np.where(doubted, 3 + half, half)
        score, weight = np.tile([0.0, 0.5, 1.0], 2), np.repeat([1.0, trust], 3)
        self._columns = np.stack([np.ones(KINDS), score, weight, score * weight])

    def cells(self, key: NDArray[np.int64], rows: Rows, bound: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The keys that occur, ascending, and the sums of their votes."""
        if bound > _DENSE:
            cells, place = distinct(key, bound)
            return cells, self.sums(place, rows, len(cells))
        sums = self.sums(key, rows, bound)
        cells = np.flatnonzero(sums[0])
        return cells, sums[:, cells]

    def sums(self, place: NDArray[np.int64], rows: Rows, cells: int) -> NDArray[np.float64]:
        """Votes, score, and both weighted by trust, float64 [4, cells], of the votes `rows` by cell."""
        count = np.bincount(place * KINDS + self.kind[rows], minlength=cells * KINDS)
        return self._columns @ count.reshape(cells, KINDS).T


class DivisionTally:
    """The votes of one division by slice and ordered pair; votes can be taken out."""

    def __init__(self, division: VoteDivision, ballots: Ballots) -> None:
        self.division, self.size = division, ballots.size
        known, key = self._keys(ballots, slice(None))
        self.cells, self.sums = ballots.cells(key, known, division.slices * self.size**2)
        self.of, pair = np.divmod(self.cells, self.size**2)
        self.left, self.right = np.divmod(pair, self.size)

    def take_out(self, ballots: Ballots, rows: NDArray[np.intp]) -> None:
        """Subtract votes."""
        known, key = self._keys(ballots, rows)
        self.sums = self.sums - ballots.sums(np.searchsorted(self.cells, key), rows[known], len(self.cells))

    def _keys(self, ballots: Ballots, rows: Rows) -> tuple[Rows, NDArray[np.int64]]:
        """Which of the rows are in a slice, and their keys."""
        code = self.division.code[rows]
        known = slice(None) if code.min(initial=0) > UNKNOWN else code != UNKNOWN
        return known, code[known].astype(np.int64) * self.size**2 + ballots.pair[rows][known]

    def counts(self, number: int, voice: float = 1.0) -> Counts:
        """The weighted counts of one slice."""
        mine = self.of == number
        votes, score = np.zeros((2, self.size, self.size))
        votes[self.left[mine], self.right[mine]] = voice * self.sums[2, mine]
        score[self.left[mine], self.right[mine]] = voice * self.sums[3, mine]
        return Counts(votes, score)

    def _voices(self) -> NDArray[np.float64]:
        """The share of each slice's votes [slices] that the board of this division hears."""
        votes = np.bincount(self.of, self.sums[0], self.division.slices).astype(np.float64)
        used = votes[votes > 0]
        if len(used) < LEAST_SLICES:
            return np.ones(len(votes))
        cap = max(MOST_VOICE * float(np.median(used)), LEAST_VOICE * float(used.sum()))
        return np.where(self.division.voters > USUAL, 1.0, np.minimum(1.0, ratio(np.full(len(votes), cap), votes, 1.0)))

    def _hushed(self, part: NDArray[np.float64]) -> Counts:
        """The weighted counts of a share of each slice."""
        pair, of = self.left * self.size + self.right, part[self.of]
        votes, score = (np.bincount(pair, of * column, self.size**2) for column in self.sums[2:])
        shape = self.size, self.size
        return Counts(votes.reshape(shape).astype(np.float64), score.reshape(shape).astype(np.float64))

    def residuals(self, whole: Counts, board: Reference, noise: float) -> Residuals:
        """Judge every slice by the board without it; `noise` multiplies the variance that wins and losses would have.

        That variance is taken from the whole board: by the boards without a large slice and without all others the
        same difference would have two variances. No slice has more than `MOST_VOICE` times the votes of the middle one
        in these boards.
        """
        points = board.information
        voice = self._voices()
        if (voice < 1).any():
            whole = whole.without(self._hushed(1 - voice))
            board = fit(whole, board.place)
        excess, held, mine = self._first_order(board, voice)
        for number in np.flatnonzero(voice * held.sum(axis=1) > _LARGE * board.information.sum()):
            other = fit(whole.without(self.counts(int(number), float(voice[number]))), board.place)
            excess[number] = self._exact(int(number), other)
        votes, score = self._by_model(self.sums[0]), self._by_side(self.sums[1], self.sums[0] - self.sums[1])
        left_over = board.information - mine
        variance = noise * held * (1 + ratio(held, left_over, np.inf))
        z = ratio(excess, np.sqrt(variance), 0.0)
        return Residuals(
            votes=votes,
            score=ratio(score, votes, 0.0),
            excess=ratio(excess, votes, 0.0),
            z=z,
            heterogeneity=self._heterogeneity(np.abs(z).argmax(axis=1), board, noise)
            if self.division.heterogeneous
            else np.zeros(len(z)),
            points=POINTS * ratio(excess, np.broadcast_to(points, excess.shape), 0.0),
        )

    def _by_model(self, column: NDArray[np.float64], sign: float = 1.0) -> NDArray[np.float64]:
        """Sum over each slice's votes on each model [slices, m]; the right side with `sign`."""
        return self._by_side(column, sign * column)

    def _by_side(self, left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
        size, row = self.division.slices * self.size, self.of * self.size
        total = np.bincount(row + self.left, left, size) + np.bincount(row + self.right, right, size)
        return total.reshape(self.division.slices, self.size).astype(np.float64)

    def _first_order(
        self, board: Reference, voice: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Excess against the board without each slice, to the first order of its share, and the slices' information."""
        chance, spread = board.chance[self.left, self.right], board.spread[self.left, self.right]
        votes, score, weight, weighted = self.sums
        weight, weighted = voice[self.of] * weight, voice[self.of] * weighted
        own, rest = weighted - weight * chance, score - votes * chance
        pull = np.bincount(self.of, own, self.division.slices)
        shift = np.column_stack([self._by_model(own, -1.0), pull]) @ board.inverse
        moved = shift[self.of, self.left] - shift[self.of, self.right] + shift[self.of, -1]
        held = votes * spread
        return (
            self._by_model(rest + held * moved, -1.0),
            self._by_model(held),
            self._by_model(weight * spread),
        )

    def _heterogeneity(self, odd: NDArray[np.intp], board: Reference, noise: float) -> NDArray[np.float64]:
        """Variance of true residuals [slices] without the votes on each slice's odd model."""
        kept = (self.left != odd[self.of]) & (self.right != odd[self.of])
        votes, score = kept * self.sums[0], kept * self.sums[1]
        rest = score - votes * board.chance[self.left, self.right]
        held = self._by_model(votes * board.spread[self.left, self.right])
        return preference_variance(self._by_model(votes), self._by_model(rest, -1.0), noise * held)

    def _exact(self, number: int, board: Reference) -> NDArray[np.float64]:
        mine = np.flatnonzero(self.of == number)
        left, right, votes, score = self.left[mine], self.right[mine], self.sums[0, mine], self.sums[1, mine]
        rest = score - votes * board.chance[left, right]
        return (np.bincount(left, rest, self.size) - np.bincount(right, rest, self.size)).astype(np.float64)


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
