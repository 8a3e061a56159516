"""What a bootstrap sends to its tasks: the log in the form that is resampled, and where every round begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.rating.bradley_terry import derivatives
from arena.rating.comparisons import LEFT_WINS, RIGHT_WINS, Comparisons
from arena.rating.counts import PairCounts
from arena.rating.errors import BadParameters

Rounds = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
"""Strengths [rounds, m], who was absent bool [rounds, m], and steps [rounds]."""


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """Where every round begins: pools, prior, strengths of the whole log, and the inverse of its curvature."""

    label: NDArray[np.int64]
    prior: float
    strength: NDArray[np.float64]
    inverse: NDArray[np.float64]


def start_of(counts: PairCounts, theta: NDArray[np.float64], label: NDArray[np.int64], prior: float) -> Start:
    """Of a log whose fit is `theta` [m], its components having the numbers `label` [m].

    The inverse leaves the mean of each pool alone: only the prior holds it, far less than pairs hold each other.
    """
    _, curve = derivatives(theta, counts.scores, counts.battles, prior)
    try:
        inverse = np.linalg.inv(curve)
    except np.linalg.LinAlgError:
        inverse = np.full_like(curve, np.nan)
    together = label[:, None] == label
    centring = np.eye(len(label)) - together / together.sum(axis=1)
    inverse = centring @ inverse @ centring
    return Start(label, prior, np.exp(theta), (inverse + inverse.T) / 2)


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """The kinds of vote that were cast, by how often; it travels to a process as it is.

    Attributes:
        cell: Kinds, by mean and then by number.
        end: One for each mean, the place behind its last kind.
        mean: The different means, ascending.
        words: Tables of the small means.
        where: Where in `words` each is, as `alias_tables` has them.
    """

    cell: NDArray[np.int32]
    end: NDArray[np.int64]
    mean: NDArray[np.float64]
    words: NDArray[np.uint64]
    where: NDArray[np.int64]

    def __call__(self, start: Start, seed: np.uint64, first: int, last: int) -> Rounds:
        """Rounds first..last-1 of a seed."""
        from arena.rating.resampling_kernels import vote_rounds  # noqa: PLC0415 - numba loads at the first use

        kinds = self.cell, self.end, self.mean, self.words, self.where
        return vote_rounds(*kinds, start.label, start.prior, start.strength, start.inverse, seed, first, last)


@dataclass(frozen=True, slots=True, eq=False)
class Voters:
    """The log by rows, with the voters numbered from 0; called as `Votes`."""

    cell: NDArray[np.int32]
    weight: NDArray[np.float64]
    voter: NDArray[np.int32]
    voters: int

    def __call__(self, start: Start, seed: np.uint64, first: int, last: int) -> Rounds:
        """Rounds first..last-1 of a seed."""
        from arena.rating.resampling_kernels import voter_rounds  # noqa: PLC0415 - numba loads at the first use

        rows = self.cell, self.weight, self.voter, self.voters
        return voter_rounds(*rows, start.label, start.prior, start.strength, start.inverse, seed, first, last)


def by_vote(counts: PairCounts) -> Votes:
    """Gather the kinds that occur, those of one mean together."""
    from arena.rating.poisson_kernels import alias_tables  # noqa: PLC0415 - numba loads at the first use

    often = np.concatenate([counts.wins.ravel(), np.triu(counts.ties + counts.both_bad).ravel()])
    cell = np.flatnonzero(often)
    mean, place, many = np.unique(often[cell], return_inverse=True, return_counts=True)
    ordered = np.sort(place * len(often) + cell) % max(1, len(often))
    return Votes(ordered.astype(np.int32), np.cumsum(many), mean, *alias_tables(mean))


def by_voter(log: Comparisons) -> Voters:
    """Number the voters and the cells of the log.

    Raises:
        BadParameters: The log names no voters.
    """
    if log.voter is None:
        raise BadParameters("voters cannot be resampled: the log has no column of voters")
    m = len(log.names)
    left, right = log.left.astype(np.int64), log.right.astype(np.int64)
    first = np.where(log.outcome == RIGHT_WINS, right, left)
    drawn = (log.outcome != LEFT_WINS) & (log.outcome != RIGHT_WINS)
    people, voter = np.unique(log.voter, return_inverse=True)
    return Voters(
        cell=(first * m + (left + right - first) + m * m * drawn).astype(np.int32),
        weight=np.ones(0) if log.weight is None else np.array(log.weight),
        voter=voter.astype(np.int32),
        voters=len(people),
    )
