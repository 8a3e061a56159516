"""Bootstrap intervals of Bradley-Terry ratings, resampling votes or voters.

A round gives every vote (or voter) a Poisson number of copies with mean 1, the limit of sampling with replacement, and
fits again from the fit of the log. Votes of one kind, that is one pair and outcome, are interchangeable, and a sum of n
such numbers is Poisson with mean n. So the time of a round by vote depends on the number of kinds, not of votes. A
weight is a frequency, as everywhere: the mean of a kind is its total weight.

Intervals by vote assume independent votes. If voters cast many votes each, these are correlated, and the wider interval
by voter (the cluster bootstrap) is the correct one.

The prior is not resampled. A competitor without a vote in a round has the rating that the prior gives, the average;
`absent` counts these rounds. No resample contains a loss of an undefeated newcomer, so the sandwich interval of
`bradley_terry`, in which the virtual draw is noise, is better for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from arena_rating.bradley_terry import PRIOR, BradleyTerry, bradley_terry
from arena_rating.comparisons import Comparisons
from arena_rating.counts import PairCounts, pair_counts
from arena_rating.errors import BadParameters, NotConverged
from arena_rating.research.resampling import Rounds, by_vote, by_voter, start_of

Unit = Literal["vote", "voter"]
Interval = Literal["percentile", "basic"]

_TASKS: Final = 8
_SEEDS: Final = 1 << 64


@dataclass(frozen=True, slots=True)
class BootstrapParameters:
    """Unit of resampling, number of rounds and kind of interval; the other parameters as in `bradley_terry`.

    `percentile` takes the quantiles of the rounds; `basic` reflects them at the rating, which corrects the bias of the
    rounds instead of doubling it.
    """

    rounds: int = 200
    unit: Unit = "vote"
    interval: Interval = "percentile"
    init: float = 1000.0
    base: float = 10.0
    scale: float = 400.0
    prior: float = PRIOR
    level: float = 0.95

    def __post_init__(self) -> None:
        if self.rounds < 2:  # one round has no spread
            raise BadParameters("a bootstrap needs at least two rounds")
        if self.unit not in ("vote", "voter") or self.interval not in ("percentile", "basic"):
            raise BadParameters("unit must be vote or voter, and interval percentile or basic")
        if not self.prior > 0:
            raise BadParameters("a resample may be disconnected: the bootstrap needs a prior above 0")


@dataclass(frozen=True, slots=True, eq=False)
class BootstrappedBradleyTerry:
    """The fit of the log and of its resamples, in points.

    Attributes:
        names: The m competitors.
        rating: float64 [m], the fit of the log; nan, like the other floats, without a battle.
        ratings: float64 [rounds, m], centred like `rating`: in each component the mean weighted by the log's battles is
            `init`.
        error: float64 [m], standard deviation over the rounds.
        low: float64 [m], lower end of the interval.
        high: float64 [m], upper end.
        absent: int64 [m], number of rounds in which a competitor had no vote.
        component: int64 [m], as in `BradleyTerry`.
        parameters: As given.
        seed: As given.
        iterations: Sweeps and steps of the longest round.
    """

    names: tuple[str, ...]
    rating: NDArray[np.float64]
    ratings: NDArray[np.float64]
    error: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    absent: NDArray[np.int64]
    component: NDArray[np.int64]
    parameters: BootstrapParameters
    seed: int
    iterations: int


def bootstrap_bradley_terry(
    comparisons: Comparisons,
    parameters: BootstrapParameters | None = None,
    *,
    seed: int,
    executor: Executor | None = None,
) -> BootstrappedBradleyTerry:
    """Fit the log and `parameters.rounds` resamples of it.

    The bits of the result depend on the columns, the parameters and `seed` (0 to 2^64 - 1), not on the executor; by
    vote not on the order of rows either. Tasks release the GIL, so threads are enough on one machine.

    Raises:
        BadParameters: A seed or parameter outside its range, or the unit is the voter and the log has no voters.
        NotConverged: A fit did not converge.
    """
    parameters = parameters or BootstrapParameters()
    if not 0 <= seed < _SEEDS:
        raise BadParameters("the seed must be at least 0 and below 2^64")
    counts = pair_counts(comparisons)
    fit = bradley_terry(
        counts,
        init=parameters.init,
        base=parameters.base,
        scale=parameters.scale,
        prior=parameters.prior,
        level=parameters.level,
    )
    unit = parameters.scale / math.log(parameters.base)
    start = start_of(
        counts,
        (np.nan_to_num(fit.rating, nan=parameters.init) - parameters.init) / unit,
        fit.component,
        parameters.prior,
    )
    job = by_vote(counts) if parameters.unit == "vote" else by_voter(comparisons)
    strength, absent, steps = _run(partial(job, start, np.uint64(seed)), parameters.rounds, executor)
    if (steps < 0).any():
        raise NotConverged(f"{(steps < 0).sum()} of {parameters.rounds} rounds have not converged")
    ratings = parameters.init + unit * _centre(np.log(strength), counts, fit)
    return _summary(fit, ratings, absent.sum(axis=0), parameters, seed, int(steps.max(initial=0)))


def _summary(
    fit: BradleyTerry,
    ratings: NDArray[np.float64],
    absent: NDArray[np.int64],
    parameters: BootstrapParameters,
    seed: int,
    iterations: int,
) -> BootstrappedBradleyTerry:
    low, high = np.quantile(ratings, [(1 - parameters.level) / 2, (1 + parameters.level) / 2], axis=0)
    if parameters.interval == "basic":
        low, high = 2 * fit.rating - high, 2 * fit.rating - low
    return BootstrappedBradleyTerry(
        names=fit.names,
        rating=fit.rating,
        ratings=ratings,
        error=ratings.std(axis=0, ddof=1),
        low=low,
        high=high,
        absent=absent,
        component=fit.component,
        parameters=parameters,
        seed=seed,
        iterations=iterations,
    )


def _run(job: Callable[[int, int], Rounds], rounds: int, executor: Executor | None) -> Rounds:
    """All rounds in the order of their numbers."""
    if executor is None:
        return job(0, rounds)
    ends = [rounds * task // _TASKS for task in range(_TASKS + 1)]
    futures = [executor.submit(job, first, last) for first, last in pairwise(ends) if first < last]
    strength, absent, steps = zip(*(future.result() for future in futures), strict=True)
    return np.concatenate(strength), np.concatenate(absent), np.concatenate(steps)


def _centre(theta: NDArray[np.float64], counts: PairCounts, fit: BradleyTerry) -> NDArray[np.float64]:
    """Rounds minus each component's mean weighted by battles; nan for competitors without a battle."""
    result, battles = np.full_like(theta, np.nan), counts.battles.sum(axis=1)
    for number in np.unique(fit.component[battles > 0]):
        members = np.flatnonzero(fit.component == number)
        share = battles[members] / battles[members].sum()
        part = theta[:, members]
        result[:, members] = part - (part * share).sum(axis=1, keepdims=True)
    return result
