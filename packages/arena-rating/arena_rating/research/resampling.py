"""Input of the bootstrap tasks: the log in a form to resample, and the starting point of every round."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_rating.bradley_terry import derivatives
from arena_rating.comparisons import LEFT_WINS, RIGHT_WINS, Comparisons
from arena_rating.counts import PairCounts
from arena_rating.errors import BadParameters

Rounds = tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]]
"""Strengths [rounds, m], absent competitors bool [rounds, m], and steps [rounds]."""


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """Starting point of every round: component labels, prior, and the log's strengths and inverse Hessian."""

    label: NDArray[np.int64]
    prior: float
    strength: NDArray[np.float64]
    inverse: NDArray[np.float64]


def start_of(counts: PairCounts, theta: NDArray[np.float64], label: NDArray[np.int64], prior: float) -> Start:
    """The starting point for a log with the fit `theta` [m] and the component labels `label` [m].

    The inverse is projected to leave the mean of each component unchanged, which the weak prior alone determines.
    """
    hessian = derivatives(theta, counts.scores, counts.battles, prior)[1]
    try:
        inverse = np.linalg.inv(hessian)
    except np.linalg.LinAlgError:
        inverse = np.full_like(hessian, np.nan)
    same_component = label[:, None] == label
    centre = np.eye(len(label)) - same_component / same_component.sum(axis=1)
    inverse = centre @ inverse @ centre
    return Start(label, prior, np.exp(theta), (inverse + inverse.T) / 2)


@dataclass(frozen=True, slots=True, eq=False)
class VoteResampler:
    """Resampler of votes; picklable.

    Attributes:
        cell: The kinds (pair and outcome) with votes, by mean and then by number.
        end: For each mean the position after its last kind.
        mean: The distinct means, ascending.
        words: Alias tables of the small means.
        where: The position of each table in `words`, as in `alias_tables`.
    """

    cell: NDArray[np.int32]
    end: NDArray[np.int64]
    mean: NDArray[np.float64]
    words: NDArray[np.uint64]
    where: NDArray[np.int64]

    def __call__(self, start: Start, seed: np.uint64, first: int, last: int) -> Rounds:
        """Rounds first..last-1 of a seed."""
        from arena_rating.research._kernels.resampling import vote_rounds

        kinds = self.cell, self.end, self.mean, self.words, self.where
        return vote_rounds(*kinds, start.label, start.prior, start.strength, start.inverse, seed, first, last)


@dataclass(frozen=True, slots=True, eq=False)
class VoterResampler:
    """Resampler of voters, from the rows of the log with the voters numbered from 0; picklable."""

    cell: NDArray[np.int32]
    weight: NDArray[np.float64]
    voter: NDArray[np.int32]
    voters: int

    def __call__(self, start: Start, seed: np.uint64, first: int, last: int) -> Rounds:
        """Rounds first..last-1 of a seed."""
        from arena_rating.research._kernels.resampling import voter_rounds

        rows = self.cell, self.weight, self.voter, self.voters
        return voter_rounds(*rows, start.label, start.prior, start.strength, start.inverse, seed, first, last)


def by_vote(counts: PairCounts) -> VoteResampler:
    """A resampler of votes; kinds with the same mean are adjacent."""
    from arena_rating.research._kernels.poisson import alias_tables

    numbers = np.concatenate([counts.wins.ravel(), np.triu(counts.ties + counts.both_bad).ravel()])
    cell = np.flatnonzero(numbers)
    mean, place, kinds = np.unique(numbers[cell], return_inverse=True, return_counts=True)
    cells = np.sort(place * len(numbers) + cell) % max(1, len(numbers))
    return VoteResampler(cells.astype(np.int32), np.cumsum(kinds), mean, *alias_tables(mean))


def by_voter(log: Comparisons) -> VoterResampler:
    """A resampler of voters.

    Raises:
        BadParameters: The log has no column of voters.
    """
    if log.voter is None:
        raise BadParameters("voters cannot be resampled: the log has no column of voters")
    m = len(log.names)
    left, right = log.left.astype(np.int64), log.right.astype(np.int64)
    first = np.where(log.outcome == RIGHT_WINS, right, left)
    is_draw = (log.outcome != LEFT_WINS) & (log.outcome != RIGHT_WINS)
    people, voter = np.unique(log.voter, return_inverse=True)
    return VoterResampler(
        cell=(first * m + (left + right - first) + m * m * is_draw).astype(np.int32),
        weight=np.ones(0) if log.weight is None else np.array(log.weight),
        voter=voter.astype(np.int32),
        voters=len(people),
    )
