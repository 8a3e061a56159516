"""Poisson random numbers for compiled loops.

Means of a resampled log are mostly small integers that recur. Each gets an alias table (Walker 1977), from which a
number takes one random word and one look-up. Means without a table are sampled by inversion below 10, and otherwise by
Hörmann's PTRS (1993).
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from arena_rating._kernels.compilation import Array, compiled
from arena_rating._kernels.splitmix import GOLDEN, mix, uniform

TABLED: Final = 256.0
"""Largest mean that gets a table."""
WORDS: Final = 1 << 17
"""Size of all tables together: a megabyte, which fits a core's private cache."""

_BITS: Final = 10
_ALIAS: Final = np.uint64((1 << _BITS) - 1)
_NOTHING: Final = 2.0**-64
_64: Final = np.uint64(64)
_REJECTION: Final = 10.0
_LONGEST: Final = 200
_LOG_FACTORIALS: Final = np.array([math.lgamma(k + 1.0) for k in range(1024)])


@compiled
def alias_tables(mean: Array) -> tuple[Array, Array]:
    """Alias tables for as many of the ascending means as fit: their words, and their positions int64 [tables, 3].

    A position is the index of the first word, the binary logarithm of the number of words, and the number that the
    first word stands for. A word is a threshold whose last bits, negligible in the comparison, are the alias.
    """
    words, where, end, tables = np.empty(WORDS, np.uint64), np.empty((mean.shape[0], 3), np.int64), 0, 0
    for row in range(mean.shape[0]):
        if mean[row] > TABLED:
            break
        lowest, chance = _chances(mean[row])
        bits = 0
        while (1 << bits) < chance.shape[0]:
            bits += 1
        if end + (1 << bits) > WORDS:
            break
        _fill(chance, words[end : end + (1 << bits)])
        where[row, 0], where[row, 1], where[row, 2] = end, bits, lowest
        end, tables = end + (1 << bits), row + 1
    return words[:end].copy(), where[:tables].copy()


@compiled
def _chances(mean: float) -> tuple[int, Array]:
    """The smallest number with a non-negligible probability, and the probabilities from it to the largest one."""
    mode = math.floor(mean)
    lowest, highest, chance, total = mode, mode, 1.0, 1.0
    while lowest > 0 and chance > _NOTHING:
        chance *= lowest / mean
        lowest, total = lowest - 1, total + chance
    chance = 1.0
    while chance > _NOTHING:
        highest += 1
        chance *= mean / highest
        total += chance
    chances = np.empty(highest - lowest + 1)
    chances[mode - lowest] = 1.0 / total
    for k in range(mode - 1, lowest - 1, -1):
        chances[k - lowest] = chances[k + 1 - lowest] * ((k + 1) / mean)
    for k in range(mode + 1, highest + 1):
        chances[k - lowest] = chances[k - 1 - lowest] * (mean / k)
    return lowest, chances


@compiled
def _fill(chance: Array, words: Array) -> None:
    """Build an alias table (Vose 1991): each word has its own number, and as alias a number with excess probability."""
    size = words.shape[0]
    share, small, large = np.zeros(size), np.empty(size, np.int64), np.empty(size, np.int64)
    small_count = large_count = 0
    for k in range(size):
        words[k] = np.uint64(k)  # full words, and those that rounding leaves, are their own alias
        share[k] = chance[k] * size if k < chance.shape[0] else 0.0
        if share[k] < 1.0:
            small[small_count] = k
            small_count += 1
        else:
            large[large_count] = k
            large_count += 1
    while small_count and large_count:
        small_count -= 1
        k, donor = small[small_count], large[large_count - 1]
        words[k] = (np.uint64(share[k] * 2.0**64) & ~_ALIAS) | np.uint64(donor)
        share[donor] -= 1.0 - share[k]
        if share[donor] < 1.0:
            large_count -= 1
            small[small_count] = donor
            small_count += 1


@compiled
def tabled(words: Array, bits: np.uint64, state: np.uint64) -> tuple[np.int64, np.uint64]:
    """A Poisson number minus the first number of its table of 2^bits `words`, and the next state."""
    state += GOLDEN
    bits_drawn = mix(state)
    place = bits_drawn >> (_64 - bits)
    word = words[place]
    return np.int64(place if (bits_drawn << bits) < word else word & _ALIAS), state


@compiled
def poisson_constants(mean: Array) -> Array:
    """Constants of `poisson` for each mean, float64 [n, 6]."""
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
    """A Poisson number and the next state, by inversion for means below 10 and otherwise by Hörmann's PTRS."""
    lam = of[0]
    if lam < _REJECTION:
        u, state = uniform(state)
        chance, k = of[1], 0
        while u >= chance and k < _LONGEST:  # rounding may leave the sum of probabilities below the largest u
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
        if us >= 0.07 and v <= of[4]:  # the squeezes of the paper, here and below
            return np.float64(k), state
        if k < 0.0 or (us < 0.013 and v > us):
            continue
        factorial = _LOG_FACTORIALS[int(k)] if k < _LOG_FACTORIALS.shape[0] else math.lgamma(k + 1.0)
        if math.log(v * of[5] / (of[3] / (us * us) + of[2])) <= k * of[1] - lam - factorial:
            return np.float64(k), state
