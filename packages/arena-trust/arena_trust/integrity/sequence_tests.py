"""Sequence tests of single voters: whether their votes are improbable, or too often for one side. They only advise.

Each vote gets a two-sided p-value under the board's chances, and Fisher's method combines those of a voter (Chiang et
al. 2024). Ties make p-values coarse, so they are randomised to be uniform for honest voters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.cast_votes import SCORES, CastVotes
from arena_trust.integrity.reference import Counts, fit

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_VOTES: Final = 5
LEVEL: Final = 0.01
"""Level of each test: it names one honest voter in a hundred."""
_MIN_PROBABILITY: Final = 1e-12


@dataclass(frozen=True, slots=True)
class VoterTests:
    """The tests of one voter, whom the first vote identifies.

    Attributes:
        first: Number of their first vote.
        votes: Number of their votes.
        improbable: p-value of the sequence of their votes.
        one_sided: p-value of their longest run of votes for the same side.
    """

    first: int
    votes: int
    improbable: float
    one_sided: float

    @property
    def doubtful(self) -> bool:
        """Whether an operator should look at this voter's votes."""
        return min(self.improbable, self.one_sided) <= LEVEL


def voter_tests(log: CastVotes, rng: np.random.Generator) -> list[VoterTests]:
    """Tests of all voters with at least `LEAST_VOTES` votes, the most improbable first; `rng` randomises p-values."""
    order = np.argsort(log.voter, kind="stable")
    starts = np.flatnonzero(np.diff(log.voter[order], prepend=-2))
    surprise = -2 * np.log(np.maximum(_p_values(log, rng), _MIN_PROBABILITY))
    left_share = float((log.outcome == 0).sum()) / max(1, int((log.outcome <= 1).sum()))
    results = [
        VoterTests(
            int(log.number[rows[0]]),
            len(rows),
            round(fisher(float(surprise[rows].sum()), len(rows)), 6),
            round(longest_run(log.outcome[rows], left_share), 6),
        )
        for rows in np.split(order, starts[1:])
        if len(rows) >= LEAST_VOTES
    ]
    return sorted(results, key=lambda result: (min(result.improbable, result.one_sided), result.first))


def _p_values(log: CastVotes, rng: np.random.Generator) -> NDArray[np.float64]:
    """Two-sided p-values of single votes, uniform for honest voters."""
    size, score = len(log.names), SCORES[log.outcome]
    pair = log.left.astype(np.int64) * size + log.right
    counts = [np.bincount(pair, one, size**2).reshape(size, size).astype(float) for one in (np.ones(len(log)), score)]
    chance = fit(Counts(counts[0], counts[1])).chance.ravel()[pair]
    ties = np.minimum(float((score == 0.5).mean()) if len(log) else 0.0, 2 * np.minimum(chance, 1 - chance))
    win = chance - ties / 2
    above_chance = np.select([score == 1, score == 0], [np.zeros(len(log)), win + ties], win)
    equal_chance = np.select([score == 1, score == 0], [win, 1 - win - ties], ties)
    upper = above_chance + equal_chance * rng.random(len(log))
    return 2 * np.minimum(upper, 1 - upper)


def fisher(total: float, tests: int) -> float:
    """Probability that a chi-square value with 2 * `tests` degrees of freedom is at least `total`."""
    half = total / 2
    logs = [-half + count * math.log(max(half, _MIN_PROBABILITY)) - math.lgamma(count + 1) for count in range(tests)]
    return min(1.0, math.fsum(math.exp(log) for log in logs))


def longest_run(outcomes: NDArray[np.uint8], left_share: float) -> float:
    """Probability of a run for one side as long as the longest one here, if left wins `left_share` of the votes."""
    sides = outcomes[outcomes <= 1]
    if not len(sides):
        return 1.0
    ends = np.flatnonzero(np.diff(sides, append=2))
    longest = int(np.diff(ends, prepend=-1).max())
    return min(1.0, sum(_run_chance(len(sides), longest, entry) for entry in (left_share, 1 - left_share)))


@lru_cache(maxsize=4_096)
def _run_chance(trials: int, run: int, chance: float) -> float:
    """Probability of at least `run` successes in a row, by recursion on the end of the first such run."""
    no_run = [1.0] * (trials + 1)
    start = (1 - chance) * chance**run
    for count in range(run, trials + 1):
        first_run = chance**run if count == run else start * no_run[count - run - 1]
        no_run[count] = no_run[count - 1] - first_run
    return 1 - no_run[trials]
