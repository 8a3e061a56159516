"""The compiled loops: counting, shuffling and playing Elo.

Bits: only integer operations and IEEE + - x / are used, without contraction or reassociation, so the same input gives
the same bits on any number of threads, in any lane and with any vector width. The random numbers are SplitMix64
(Steele, Lea, Flood 2014), keyed by seed and order; an order is drawn by an exact Fisher-Yates with Lemire's bounded
integers (2019), which reject what would be biased.

A vote is one unsigned word: outcome in the lowest two bits, then the right and the left competitor with `bits` bits
each, above them the index of the weight's gain. Shuffling the words themselves in place needs no index and no gather.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numpy as np
from numba import njit  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

Array = np.ndarray[Any, Any]
Function = TypeVar("Function", bound=Callable[..., Any])

LANES: Final = 4
"""Orders played in lock step: their divisions and polynomials share vector instructions."""

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)
_LOW: Final = np.uint64(0xFFFFFFFF)
_POWER_32: Final = np.uint64(1 << 32)
_ZERO: Final = np.uint64(0)
_ONE: Final = np.uint64(1)
_TWO: Final = np.uint64(2)
_THREE: Final = np.uint64(3)
_27: Final = np.uint64(27)
_30: Final = np.uint64(30)
_31: Final = np.uint64(31)
_32: Final = np.uint64(32)


def _compiled(function: Function) -> Function:
    """Compile at the first call, keep the machine code where numba finds a folder to write to, release the GIL."""
    compile_ = cast("Callable[..., Callable[[Function], Function]]", njit)
    try:
        return compile_(nogil=True, cache=True, error_model="numpy")(function)
    except RuntimeError:  # no such folder, and NUMBA_CACHE_DIR names none: compile in each process
        return compile_(nogil=True, error_model="numpy")(function)


@_compiled
def tally(left: Array, right: Array, outcome: Array, competitors: int) -> Array:
    """Count votes: int64 [competitors, competitors, 4], the first index being the left side."""
    counts = np.zeros((competitors, competitors, 4), np.int64)
    for i in range(left.shape[0]):
        counts[left[i], right[i], outcome[i]] += 1
    return counts


@_compiled
def _mix(z: np.uint64) -> np.uint64:
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


@_compiled
def _below(state: np.uint64, bound: np.uint64) -> tuple[np.uint64, np.uint64]:
    """A uniform integer below `bound` <= 2^32, exactly, and the state after it."""
    state += _GOLDEN
    product = (_mix(state) >> _32) * bound
    if (product & _LOW) < bound:
        threshold = (_POWER_32 - bound) % bound
        while (product & _LOW) < threshold:
            state += _GOLDEN
            product = (_mix(state) >> _32) * bound
    return product >> _32, state


@_compiled
def _stream(seed: np.uint64, order: int) -> np.uint64:
    """The start of the stream of one order: far from those of other orders and seeds."""
    return _mix(_mix(seed + _GOLDEN) + np.uint64(order + 1) * _GOLDEN)


@_compiled
def shuffle(words: Array, seed: np.uint64, order: int) -> None:
    """Put the words into random order `order` of `seed`, in place (Fisher-Yates)."""
    state = _stream(seed, order)
    for i in range(words.shape[0] - 1, 0, -1):
        j, state = _below(state, np.uint64(i + 1))
        words[i], words[j] = words[j], words[i]


@_compiled
def resample(words: Array, source: Array, seed: np.uint64, order: int) -> None:
    """Fill `words` with draws from `source` with replacement; independent draws come in random order."""
    state = _stream(seed, order)
    bound = np.uint64(source.shape[0])
    for i in range(words.shape[0]):
        j, state = _below(state, bound)
        words[i] = source[j]


@_compiled
def _play_lanes(words: Array, strength: Array, bits: np.uint64, gain: Array, squarings: int) -> None:
    """Play `LANES` orders in lock step: words [LANES, n], strength [competitors, LANES] = base^(rating/scale)."""
    mask = (_ONE << bits) - _ONE
    left, right = np.empty(LANES, np.uint64), np.empty(LANES, np.uint64)
    ahead, behind = np.empty(LANES, np.float64), np.empty(LANES, np.float64)
    score, step = np.empty(LANES, np.float64), np.empty(LANES, np.float64)
    up, down = np.empty(LANES, np.float64), np.empty(LANES, np.float64)
    scores = np.array([1.0, 0.0, 0.5, 0.5])
    for i in range(words.shape[1]):
        for lane in range(LANES):
            word = np.uint64(words[lane, i])
            right[lane] = (word >> _TWO) & mask
            left[lane] = (word >> (_TWO + bits)) & mask
            step[lane] = gain[word >> (_TWO + bits + bits)]
            score[lane] = scores[word & _THREE]
            ahead[lane] = strength[left[lane], lane]
            behind[lane] = strength[right[lane], lane]
        for lane in range(LANES):
            u = step[lane] * (score[lane] - ahead[lane] / (ahead[lane] + behind[lane]))
            s = u * u
            even = 1.0 + s * (1 / 2 + s * (1 / 24 + s * (1 / 720 + s * (1 / 40320))))
            odd = u * (1.0 + s * (1 / 6 + s * (1 / 120 + s * (1 / 5040 + s * (1 / 362880)))))
            up[lane] = even + odd
            down[lane] = even - odd
        for _ in range(squarings):
            for lane in range(LANES):
                up[lane] *= up[lane]
                down[lane] *= down[lane]
        for lane in range(LANES):
            strength[left[lane], lane] = ahead[lane] * up[lane]
            strength[right[lane], lane] = behind[lane] * down[lane]


@_compiled
def play(words: Array, strength: Array, bits: np.uint64, gain: Array, squarings: int) -> None:
    """Play the words in their order; the same bits as one lane of `_play_lanes`."""
    mask = (_ONE << bits) - _ONE
    scores = np.array([1.0, 0.0, 0.5, 0.5])
    for i in range(words.shape[0]):
        word = np.uint64(words[i])
        right = (word >> _TWO) & mask
        left = (word >> (_TWO + bits)) & mask
        ahead, behind = strength[left], strength[right]
        u = gain[word >> (_TWO + bits + bits)] * (scores[word & _THREE] - ahead / (ahead + behind))
        s = u * u
        even = 1.0 + s * (1 / 2 + s * (1 / 24 + s * (1 / 720 + s * (1 / 40320))))
        odd = u * (1.0 + s * (1 / 6 + s * (1 / 120 + s * (1 / 5040 + s * (1 / 362880)))))
        up, down = even + odd, even - odd
        for _ in range(squarings):
            up *= up
            down *= down
        strength[left] = ahead * up
        strength[right] = behind * down


@_compiled
def play_orders(  # noqa: PLR0917 - compiled code takes positions
    words: Array,
    competitors: int,
    bits: np.uint64,
    gain: Array,
    squarings: int,
    seed: np.uint64,
    first: int,
    last: int,
    replace: bool,  # noqa: FBT001 - as above
) -> Array:
    """Play the random orders first..last-1 from equal strengths; returns the strengths [last - first, competitors]."""
    played = np.empty((last - first, competitors), np.float64)
    buffer = np.empty((LANES, words.shape[0]), words.dtype)
    strength = np.empty((competitors, LANES), np.float64)
    for start in range(first, last, LANES):
        for lane in range(LANES):
            if replace:
                resample(buffer[lane], words, seed, start + lane)
            else:
                buffer[lane, :] = words
                shuffle(buffer[lane], seed, start + lane)
        strength[:] = 1.0
        _play_lanes(buffer, strength, bits, gain, squarings)
        for lane in range(min(LANES, last - start)):
            played[start - first + lane, :] = strength[:, lane]
    return played
