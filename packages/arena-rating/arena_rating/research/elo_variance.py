"""Variance of sequential Elo if annotators are right with probability p: two formulas and a simulation.

Of two models that start equal one is better, and a vote names it with probability p. LLMEval replaces the expected
score by a line fitted over ratings from 1300 to 1700, and gets Var R_A = 7211.27 p (1 - p) for K = 32.

The linearisation has to be at the stationary point. With c = ln(base) / scale and x = c (R_A - R_B), a vote moves x by
2 e (S - s(x)), where e = c K and s(x) = 1 / (1 + exp(-x)). At the stationary point s = p, and the slope of s is
q = p (1 - p), so around it x' = (1 - 2 e q) x + 2 e (S - p). The noise has the variance 4 e^2 q, hence

    Var x = 4 e^2 q / (1 - (1 - 2 e q)^2) = e / (1 - e q),        Var R_A = Var(R_A - R_B) / 4 = K / (4 c (1 - e q)).

q cancels but for a small term: a larger noise meets a restoring slope that is steeper by the same factor. The curvature
of s adds terms of that order: if E x, E x^2 and E x^3 are stationary, with s expanded to its third derivative, then
E x - logit p = -(1 - 2p) e / 2 and E (x - logit p)^3 = -7 (1 - 2p) e^2 / 6, and so

    Var x = e + e^2 (8 q / 3 - 1 / 6) + O(e^3).

So the variance is about K scale / (4 ln base) whatever the accuracy: 1390 points squared for K = 32. p changes only the
correlation time, 1 / (2 e q) votes. For m competitors the same steps give the covariance V that solves
G V + V G = K N, with the slopes G and the noise covariance N of a random vote.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena_rating.bradley_terry import bradley_terry
from arena_rating.counts import PairCounts
from arena_rating.elo import LLMEVAL, EloParameters, step_gain
from arena_rating.errors import BadParameters

LLMEVAL_FACTOR: Final = 7211.27
"""LLMEval, equation 14, for K = 32. Its own rounded constants give 32^2 / (1 - 0.9264^2) = 7222.3."""

_BURN_IN: Final = 15
_SNAPSHOTS: Final = 50
_BLOCK_VOTES: Final = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedElo:
    """The stationary distribution of sequential Elo, over many independent chains.

    Attributes:
        accuracy: Probability that a vote names the better competitor.
        competitors: m.
        mean: float64 [m], mean rating in points, best competitor first.
        variance: float64 [m], in points squared.
        error: float64 [m], standard error of `variance`.
        votes: Number of votes played.
    """

    accuracy: float
    competitors: int
    mean: NDArray[np.float64]
    variance: NDArray[np.float64]
    error: NDArray[np.float64]
    votes: int


def llmeval_variance(accuracy: float) -> float:
    """7211.27 p (1 - p) in points squared, as printed by LLMEval for K = 32, base 10 and scale 400."""
    return LLMEVAL_FACTOR * _variance(accuracy)


def elo_variance(accuracy: float, parameters: EloParameters = LLMEVAL, *, bend: bool = True) -> float:
    """Stationary variance of one of two ratings, in points squared, as derived above; linearised without `bend`.

    Accurate to about 1 % for K = 32; the error grows with (K ln(base) / scale)^2.
    """
    unit = math.log(parameters.base) / parameters.scale
    step, noise = unit * parameters.k, _variance(accuracy)
    spread = step + step**2 * (8 * noise / 3 - 1 / 6) if bend else step / (1 - step * noise)
    return spread / (4 * unit**2)


def memory(accuracy: float, parameters: EloParameters = LLMEVAL, *, competitors: int = 2) -> float:
    """Votes after which a disturbance has decayed to 1/e: (m - 1) / (2 c K p (1 - p))."""
    unit = math.log(parameters.base) / parameters.scale
    return (competitors - 1) / (2 * unit * parameters.k * _variance(accuracy))


def elo_covariance(chance: NDArray[np.float64], parameters: EloParameters = LLMEVAL) -> NDArray[np.float64]:
    """Linearised stationary covariance [m, m] in points squared, if all pairs are equally frequent.

    `chance[i, j]` is the probability that i beats j, strictly between 0 and 1 off the diagonal, chance + chance.T = 1.
    For Bradley-Terry probabilities every variance is K (1 - 1/m) scale / (2 ln base), whatever the strengths.
    """
    off_diagonal = ~np.eye(len(chance), dtype=np.bool_)
    wins, zeros = np.where(off_diagonal, chance, 0.0), np.zeros_like(chance)
    names = tuple(map(str, range(len(chance))))
    theta = bradley_terry(PairCounts(names, wins, zeros, zeros), prior=0.0, init=0.0, base=math.e, scale=1.0).rating
    expected = 0.5 + 0.5 * np.tanh(0.5 * (theta[:, None] - theta))
    slope = _laplacian(np.where(off_diagonal, expected * (1 - expected), 0.0))
    noise = _laplacian(np.where(off_diagonal, wins * wins.T + (wins - expected) ** 2, 0.0))
    value, vector = np.linalg.eigh(slope)
    pull = value[:, None] + value
    # The mean rating is constant: it has no restoring force and no variance.
    rotation = np.divide(vector.T @ noise @ vector, pull, out=np.zeros_like(noise), where=pull > 1e-9 * value.max())
    return parameters.k * parameters.scale / math.log(parameters.base) * (vector @ rotation @ vector.T)


def simulate_elo(
    accuracy: float, parameters: EloParameters = LLMEVAL, *, competitors: int = 2, chains: int = 256, seed: int
) -> SimulatedElo:
    """Run independent chains of uniformly drawn pairs until they are stationary, then sample them one `memory` apart.

    The competitor with the lower number is better; a vote names it with probability `accuracy`. The time grows with
    `memory`, and so with 1 / (p (1 - p)) and with m.

    Raises:
        BadParameters: Fewer than two competitors or chains, or an accuracy that is not between 0 and 1.
    """
    if competitors < 2 or chains < 2:
        raise BadParameters("a simulation needs two competitors and two chains")
    rounds = math.ceil(memory(accuracy, parameters, competitors=competitors))
    rng, strength = np.random.default_rng(seed), np.ones(chains * competitors)
    unit, ratings = parameters.scale / math.log(parameters.base), np.empty((_SNAPSHOTS, chains, competitors))
    _play(strength, _BURN_IN * rounds, accuracy, parameters, competitors, rng)
    for snapshot in range(_SNAPSHOTS):
        _play(strength, rounds, accuracy, parameters, competitors, rng)
        ratings[snapshot] = unit * np.log(strength).reshape(chains, competitors)
    middle = ratings.mean(axis=(0, 1))
    per_chain = ((ratings - middle) ** 2).mean(axis=0)
    return SimulatedElo(
        accuracy=accuracy,
        competitors=competitors,
        mean=parameters.init + middle,
        variance=per_chain.mean(axis=0),
        error=per_chain.std(axis=0, ddof=1) / math.sqrt(chains),
        votes=(_BURN_IN + _SNAPSHOTS) * rounds * chains,
    )


def _play(
    strength: NDArray[np.float64],
    rounds: int,
    accuracy: float,
    parameters: EloParameters,
    size: int,
    rng: np.random.Generator,
) -> None:
    """Play `rounds` votes in each chain; chain c has the competitors c m to c m + m - 1."""
    from arena_rating._kernels.elo import play

    chains, bits = len(strength) // size, len(strength).bit_length()
    part, start = max(1, _BLOCK_VOTES // chains), np.arange(0, len(strength), size)
    gain, squarings = step_gain(np.ones(1), parameters)
    for first in range(0, rounds, part):
        shape = (min(part, rounds - first), chains)
        i = rng.integers(0, size, shape)
        j = (i + rng.integers(1, size, shape)) % size
        error = rng.random(shape) >= accuracy
        strong, weak = np.minimum(i, j) + start, np.maximum(i, j) + start
        words = (error | weak << 2 | strong << (2 + bits)).astype(np.uint64)
        play(words.ravel(), strength, np.uint64(bits), gain, squarings)


def _variance(accuracy: float) -> float:
    """Variance of one judgement, p (1 - p)."""
    if not 0 < accuracy < 1:
        raise BadParameters("the accuracy must lie between 0 and 1")
    return accuracy * (1 - accuracy)


def _laplacian(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Graph Laplacian [m, m] of symmetric edge weights."""
    return np.diag(edges.sum(axis=1)) - edges
