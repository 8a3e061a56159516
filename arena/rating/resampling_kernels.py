"""The compiled loops of the Bradley-Terry bootstrap: Poisson weights, and a fit per round.

A round's random numbers are stream `round` of the seed, its sums are added in one order, and nothing is contracted or
reassociated: a round has the same bits whoever computes it, and whichever others the same task computes.

A *cell* numbers what can happen between two of m competitors: winner * m + loser, and m * m + first * m + second for
draws of either kind.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from arena.rating.compiling import Array, compiled
from arena.rating.splitmix import stream, uniform

SWEEPS: Final = 60
"""Coordinate sweeps before Newton's method takes over, as it must where pools hang together by a thread."""
STEPS: Final = 200
"""Newton steps after which a round is given up."""
CLOSE: Final = 1e-12
"""Largest relative change of a strength at which a fit is finished."""

_ROUNDING: Final = 16 * 2.0**-52
_REJECTION: Final = 10.0
_LONGEST: Final = 200
_LOG_FACTORIALS: Final = np.array([math.lgamma(k + 1.0) for k in range(1024)])


@compiled
def poisson_constants(mean: Array) -> Array:
    """What `poisson` needs per mean: float64 [n, 6]."""
    table = np.empty((mean.shape[0], 6))
    for i in range(mean.shape[0]):
        lam = mean[i]
        table[i, 0] = lam
        if lam < _REJECTION:
            table[i, 1] = math.exp(-lam)
        else:
            b = 0.931 + 2.53 * math.sqrt(lam)
            table[i, 1] = math.log(lam)
            table[i, 2] = b
            table[i, 3] = -0.059 + 0.02483 * b
            table[i, 4] = 0.9277 - 3.6224 / (b - 2.0)
            table[i, 5] = 1.1239 + 1.1328 / (b - 3.4)
    return table


@compiled
def poisson(of: Array, state: np.uint64) -> tuple[float, np.uint64]:
    """A Poisson number and the state after it: by inversion below a mean of 10, by Hörmann's PTRS (1993) from there."""
    lam = of[0]
    if lam < _REJECTION:
        u, state = uniform(state)
        chance, k = of[1], 0
        while u >= chance and k < _LONGEST:  # the sum of the chances may end one rounding below the largest u
            u -= chance
            k += 1
            chance = chance * lam / k
        return np.float64(k), state
    while True:
        u, state = uniform(state)
        v, state = uniform(state)
        u -= 0.5
        us = 0.5 - abs(u)
        k = math.floor((2.0 * of[3] / us + of[2]) * u + lam + 0.43) if us > 0.0 else -1.0
        if us >= 0.07 and v <= of[4]:  # noqa: PLR2004 - the squeezes of the paper, here and below
            return np.float64(k), state
        if k < 0.0 or (us < 0.013 and v > us):  # noqa: PLR2004
            continue
        factorial = _LOG_FACTORIALS[int(k)] if k < _LOG_FACTORIALS.shape[0] else math.lgamma(k + 1.0)
        if math.log(v * of[5] / (of[3] / (us * us) + of[2])) <= k * of[1] - lam - factorial:
            return np.float64(k), state


@compiled
def resample_votes(cell: Array, constants: Array, seed: np.uint64, number: int, sums: Array) -> None:
    """Add round `number` to `sums` [2 m m]: each kind of vote as often as a Poisson number of its mean says."""
    state = stream(seed, number)
    for t in range(cell.shape[0]):
        k, state = poisson(constants[t], state)
        sums[cell[t]] += k


@compiled
def resample_voters(  # noqa: PLR0917 - compiled code takes positions
    cell: Array, weight: Array, voter: Array, copies: Array, seed: np.uint64, number: int, sums: Array
) -> None:
    """Add round `number` to `sums`: all votes of a voter as often as one Poisson number of mean 1 says.

    `copies` is uint8 [voters], overwritten; `weight` is empty for ones.
    """
    constants, state = poisson_constants(np.ones(1))[0], stream(seed, number)
    for v in range(copies.shape[0]):
        k, state = poisson(constants, state)
        copies[v] = np.uint8(k)
    if weight.shape[0] == 0:
        for n in range(cell.shape[0]):
            sums[cell[n]] += copies[voter[n]]
    else:
        for n in range(cell.shape[0]):
            sums[cell[n]] += copies[voter[n]] * weight[n]


@compiled
def fold(sums: Array, score: Array, turned: Array) -> None:
    """score[i, j] = what i took from j; turned is its transpose."""
    m = score.shape[0]
    for i in range(m):
        for j in range(m):
            half = 0.5 * (sums[m * m + i * m + j] + sums[m * m + j * m + i])
            score[i, j] = sums[i * m + j] + half
            turned[i, j] = sums[j * m + i] + half


@compiled
def _sweep(score: Array, turned: Array, prior: float, q: Array) -> float:
    """One round of Newman's iteration (2023, equation 27) over the strengths q = exp(theta); the largest change."""
    m, largest = q.shape[0], 0.0
    for i in range(m):
        own = q[i]
        virtual = 0.5 * prior / (own + 1.0)
        won_0 = won_1 = lost_0 = lost_1 = 0.0
        for j in range(0, m - 1, 2):  # two sums each: additions wait for each other
            share_0, share_1 = 1.0 / (own + q[j]), 1.0 / (own + q[j + 1])
            won_0 += score[i, j] * (q[j] * share_0)
            won_1 += score[i, j + 1] * (q[j + 1] * share_1)
            lost_0 += turned[i, j] * share_0
            lost_1 += turned[i, j + 1] * share_1
        if m % 2:
            share_0 = 1.0 / (own + q[m - 1])
            won_0 += score[i, m - 1] * (q[m - 1] * share_0)
            lost_0 += turned[i, m - 1] * share_0
        q[i] = (won_0 + won_1 + virtual) / (lost_0 + lost_1 + virtual)
        largest = max(largest, abs(q[i] / own - 1.0))
    return largest


@compiled
def _level(label: Array, pools: int, q: Array) -> float:
    """Move each pool as a whole towards the virtual player, which sweeps do slowly; the largest move."""
    slope, curve = np.zeros(pools), np.zeros(pools)
    for i in range(q.shape[0]):
        share = q[i] / (1.0 + q[i])
        slope[label[i]] += 0.5 - share
        curve[label[i]] += share * (1.0 - share)
    largest = 0.0
    for pool in range(pools):
        move = slope[pool] / curve[pool]
        slope[pool] = min(1.0, max(-1.0, move))
        largest = max(largest, abs(move))
    for i in range(q.shape[0]):
        half = 0.5 * slope[label[i]]
        q[i] *= (1.0 + half) / (1.0 - half)
    return largest


@compiled
def _solve(matrix: Array, vector: Array) -> bool:
    """Overwrite the vector with matrix^-1 vector by Cholesky's factors; False if the matrix is not positive."""
    m = vector.shape[0]
    for i in range(m):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            if i != j:
                matrix[i, j] = total / matrix[j, j]
            elif total > 0.0:
                matrix[i, i] = math.sqrt(total)
            else:
                return False
    for i in range(m):
        for k in range(i):
            vector[i] -= matrix[i, k] * vector[k]
        vector[i] /= matrix[i, i]
    for i in range(m - 1, -1, -1):
        for k in range(i + 1, m):
            vector[i] -= matrix[k, i] * vector[k]
        vector[i] /= matrix[i, i]
    return True


@compiled
def _newton(score: Array, turned: Array, prior: float, q: Array) -> int:
    """Newton's method with steps of at most 1; the number of steps, or -1 if it did not arrive.

    It has arrived when the next step is nothing, or the slopes are no more than the rounding of their terms.
    """
    m = q.shape[0]
    curve, slope = np.empty((m, m)), np.empty(m)
    for step in range(1, STEPS):
        flat = True
        for i in range(m):
            share = q[i] / (1.0 + q[i])
            slope[i], diagonal, battles = prior * (0.5 - share), prior * share * (1.0 - share), prior
            for j in range(m):
                if j != i:
                    chance = q[i] / (q[i] + q[j])
                    slope[i] += score[i, j] * (1.0 - chance) - turned[i, j] * chance
                    curve[i, j] = -(score[i, j] + turned[i, j]) * chance * (1.0 - chance)
                    diagonal -= curve[i, j]
                    battles += score[i, j] + turned[i, j]
            curve[i, i] = diagonal
            flat = flat and abs(slope[i]) <= _ROUNDING * battles
        if not _solve(curve, slope):
            return -1
        longest = np.abs(slope).max()
        for i in range(m):
            q[i] *= math.exp(slope[i] / max(1.0, longest))
        if flat or longest <= 10 * CLOSE:
            return step
    return -1


@compiled
def maximise(score: Array, turned: Array, label: Array, prior: float, q: Array) -> int:
    """Climb from the strengths `q` to the maximum, in place; how many sweeps and steps it took, -1 if too many."""
    pools = 0 if label.shape[0] == 0 else label.max() + 1
    for sweep in range(1, SWEEPS + 1):
        change = _sweep(score, turned, prior, q)
        move = _level(label, pools, q)
        if max(change, move) <= CLOSE:
            return sweep
    steps = _newton(score, turned, prior, q)
    return -1 if steps < 0 else SWEEPS + steps


@compiled
def _fit_round(  # noqa: PLR0917 - compiled code takes positions
    sums: Array, score: Array, turned: Array, label: Array, prior: float, q: Array, absent: Array
) -> int:
    fold(sums, score, turned)
    for i in range(q.shape[0]):
        absent[i] = score[i].sum() + turned[i].sum() == 0.0
    return maximise(score, turned, label, prior, q)


@compiled
def vote_rounds(  # noqa: PLR0917 - compiled code takes positions
    cell: Array, mean: Array, label: Array, prior: float, start: Array, seed: np.uint64, first: int, last: int
) -> tuple[Array, Array, Array]:
    """Rounds first..last-1 by vote: strengths [rounds, m], who was absent bool [rounds, m], and steps [rounds]."""
    m, rounds = start.shape[0], last - first
    strength, absent, steps = np.empty((rounds, m)), np.empty((rounds, m), np.bool_), np.empty(rounds, np.int64)
    score, turned, sums = np.empty((m, m)), np.empty((m, m)), np.empty(2 * m * m)
    constants = poisson_constants(mean)
    for r in range(rounds):
        sums[:] = 0.0
        resample_votes(cell, constants, seed, first + r, sums)
        strength[r] = start
        steps[r] = _fit_round(sums, score, turned, label, prior, strength[r], absent[r])
    return strength, absent, steps


@compiled
def voter_rounds(  # noqa: PLR0917 - compiled code takes positions
    cell: Array,
    weight: Array,
    voter: Array,
    voters: int,
    label: Array,
    prior: float,
    start: Array,
    seed: np.uint64,
    first: int,
    last: int,
) -> tuple[Array, Array, Array]:
    """As `vote_rounds`, by voter."""
    m, rounds = start.shape[0], last - first
    strength, absent, steps = np.empty((rounds, m)), np.empty((rounds, m), np.bool_), np.empty(rounds, np.int64)
    score, turned, sums, copies = np.empty((m, m)), np.empty((m, m)), np.empty(2 * m * m), np.empty(voters, np.uint8)
    for r in range(rounds):
        sums[:] = 0.0
        resample_voters(cell, weight, voter, copies, seed, first + r, sums)
        strength[r] = start
        steps[r] = _fit_round(sums, score, turned, label, prior, strength[r], absent[r])
    return strength, absent, steps
