"""Compiled loops of the Bradley-Terry bootstrap: Poisson weights, and a fit per round.

A round's random numbers are stream `round` of the seed, sums have a fixed order, and nothing is contracted or
reassociated: a round has the same bits in any task.

A *cell* is the number of a kind of vote between two of m competitors: winner * m + loser, or m * m + first * m + second
for draws of either kind.
"""

from __future__ import annotations

import numpy as np

from arena_rating._kernels.compilation import Array, compiled
from arena_rating._kernels.splitmix import stream
from arena_rating.research._kernels.maximum import approach, maximise
from arena_rating.research._kernels.poisson import alias_tables, poisson, poisson_constants, tabled

_UNIT_WEIGHT = np.ones(1)


@compiled
def resample_votes(
    cell: Array, end: Array, words: Array, where: Array, constants: Array, seed: np.uint64, number: int, sums: Array
) -> None:
    """Add round `number` to `sums` [2 m m]: a Poisson number for each kind of vote.

    Kinds with the same mean are adjacent: those of mean t end before `end[t]`. The first means have tables.
    """
    state, first, tables = stream(seed, number), 0, where.shape[0]
    for t in range(tables):
        row, bits, lowest = words[where[t, 0] :], np.uint64(where[t, 1]), where[t, 2]
        for kind in range(first, end[t]):
            k, state = tabled(row, bits, state)
            sums[cell[kind]] += lowest + k
        first = end[t]
    for t in range(tables, end.shape[0]):
        for kind in range(first, end[t]):
            count, state = poisson(constants[t], state)
            sums[cell[kind]] += count
        first = end[t]


@compiled
def resample_voters(
    cell: Array, weight: Array, voter: Array, copies: Array, seed: np.uint64, number: int, sums: Array
) -> None:
    """Add round `number` to `sums`: all votes of a voter times one Poisson number with mean 1.

    `copies` uint8 [voters] is overwritten; an empty `weight` means that all are 1.
    """
    words, where = alias_tables(_UNIT_WEIGHT)
    state, bits, lowest = stream(seed, number), np.uint64(where[0, 1]), where[0, 2]
    for v in range(copies.shape[0]):
        k, state = tabled(words, bits, state)
        copies[v] = np.uint8(lowest + k)
    if weight.shape[0] == 0:
        for n in range(cell.shape[0]):
            sums[cell[n]] += copies[voter[n]]
    else:
        for n in range(cell.shape[0]):
            sums[cell[n]] += copies[voter[n]] * weight[n]


@compiled
def fold(sums: Array, score: Array, turned: Array) -> None:
    """Fill score[i, j] with the points that i took from j, and `turned` with its transpose."""
    m = score.shape[0]
    for i in range(m):
        for j in range(m):
            half = 0.5 * (sums[m * m + i * m + j] + sums[m * m + j * m + i])
            score[i, j] = sums[i * m + j] + half
            turned[i, j] = sums[j * m + i] + half


@compiled
def _add_up(score: Array, turned: Array, battles: Array, points: Array, played: Array) -> None:
    """Fill battles per pair, points per competitor, and battles per competitor."""
    m = points.shape[0]
    points[:], played[:] = 0.0, 0.0
    for i in range(m):
        for j in range(m):
            battles[i, j] = score[i, j] + turned[i, j]
            points[j] += turned[i, j]
            played[j] += battles[i, j]


@compiled
def _fit_round(
    sums: Array, room: Array, label: Array, prior: float, start: Array, inverse: Array, q: Array, absent: Array
) -> int:
    """Fit a round from the strengths and the inverse Hessian of the log; `room` [3, m, m] is scratch space."""
    m, (score, turned, battles) = q.shape[0], (room[0], room[1], room[2])
    points, played = np.empty(m), np.empty(m)
    fold(sums, score, turned)
    _add_up(score, turned, battles, points, played)
    for i in range(m):
        absent[i] = played[i] == 0.0
    q[:] = start
    steps = approach(battles, points, inverse, label, prior, q)
    if steps < 0:
        q[:] = start
        steps = maximise(score, turned, label, prior, q)
    return steps


@compiled
def vote_rounds(
    cell: Array,
    end: Array,
    mean: Array,
    words: Array,
    where: Array,
    label: Array,
    prior: float,
    start: Array,
    inverse: Array,
    seed: np.uint64,
    first: int,
    last: int,
) -> tuple[Array, Array, Array]:
    """Rounds first..last-1 by vote: strengths [rounds, m], absent competitors bool [rounds, m], and steps [rounds]."""
    m, rounds = start.shape[0], last - first
    strength, absent, steps = np.empty((rounds, m)), np.empty((rounds, m), np.bool_), np.empty(rounds, np.int64)
    sums, room, constants = np.empty(2 * m * m), np.empty((3, m, m)), poisson_constants(mean)
    for r in range(rounds):
        sums[:] = 0.0
        resample_votes(cell, end, words, where, constants, seed, first + r, sums)
        steps[r] = _fit_round(sums, room, label, prior, start, inverse, strength[r], absent[r])
    return strength, absent, steps


@compiled
def voter_rounds(
    cell: Array,
    weight: Array,
    voter: Array,
    voters: int,
    label: Array,
    prior: float,
    start: Array,
    inverse: Array,
    seed: np.uint64,
    first: int,
    last: int,
) -> tuple[Array, Array, Array]:
    """Like `vote_rounds`, by voter."""
    m, rounds = start.shape[0], last - first
    strength, absent, steps = np.empty((rounds, m)), np.empty((rounds, m), np.bool_), np.empty(rounds, np.int64)
    sums, room, copies = np.empty(2 * m * m), np.empty((3, m, m)), np.empty(voters, np.uint8)
    for r in range(rounds):
        sums[:] = 0.0
        resample_voters(cell, weight, voter, copies, seed, first + r, sums)
        steps[r] = _fit_round(sums, room, label, prior, start, inverse, strength[r], absent[r])
    return strength, absent, steps
