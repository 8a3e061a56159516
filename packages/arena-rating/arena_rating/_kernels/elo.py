"""Compiled loops that shuffle votes and play Elo.

Reproducibility: only integer operations and IEEE + - x / are used, without contraction or reassociation, so the same
input gives the same bits on any number of threads, in any lane and with any vector width. The random numbers are those
of `splitmix`, one stream per order. An order is an exact Fisher-Yates shuffle with Lemire's unbiased bounded integers
(2019); a large log goes through buckets (`scatter`), which is exact too.

A vote is one unsigned word: the outcome in the lowest two bits, then the right and the left competitor with `bits` bits
each, then the index of the weight's gain. Shuffling the words themselves needs no index and no gather.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from arena_rating._kernels.compilation import Array, compiled
from arena_rating._kernels.intrinsics import LANES, advance, prefetch
from arena_rating._kernels.splitmix import GOLDEN, mix, stream

SCATTERED: Final = 1 << 22
"""Number of votes from which an order is drawn through buckets, since it exceeds a core's private cache."""

BUCKETS: Final = 16
"""Buckets of `scatter`."""
AHEAD: Final = 64
"""Number of votes by which places are drawn and prefetched in advance."""
_LOW_32_BITS: Final = np.uint64(0xFFFFFFFF)
_POWER_32: Final = np.uint64(1 << 32)
_ZERO: Final = np.uint64(0)
_ONE: Final = np.uint64(1)
_TWO: Final = np.uint64(2)
_THREE: Final = np.uint64(3)
_FOUR: Final = np.uint64(4)
_15: Final = np.uint64(15)
_32: Final = np.uint64(32)


@compiled
def _below(state: np.uint64, bound: np.uint64) -> tuple[np.uint64, np.uint64]:
    """An exactly uniform integer below `bound` <= 2^32, and the next state."""
    state += GOLDEN
    product = (mix(state) >> _32) * bound
    if (product & _LOW_32_BITS) < bound:
        threshold = (_POWER_32 - bound) % bound
        while (product & _LOW_32_BITS) < threshold:
            state += GOLDEN
            product = (mix(state) >> _32) * bound
    return product >> _32, state


@compiled
def shuffle_from(words: Array, source: Array, state: np.uint64) -> np.uint64:
    """Fill `words` with `source` shuffled, or shuffle in place if both are the same array; returns the next state.

    Places are drawn and prefetched `AHEAD` votes in advance, so that no vote waits for memory (decision 0035).
    """
    votes, places = source.shape[0], np.empty(AHEAD, np.uint64)
    for i in range(min(AHEAD, votes)):
        places[i], state = _below(state, np.uint64(i + 1))
        prefetch(words, places[i])  # pyright: ignore[reportCallIssue] - the decorator gives the first argument
    for i in range(votes):
        turn = i % AHEAD
        j, word = places[turn], source[i]
        words[i] = words[j]
        words[j] = word
        if i + AHEAD < votes:
            places[turn], state = _below(state, np.uint64(i + AHEAD + 1))
            prefetch(words, places[turn])  # pyright: ignore[reportCallIssue] - as above
    return state


@compiled
def shuffle(words: Array, source: Array, seed: np.uint64, order: int) -> None:
    """Fill `words` with `source` in random order number `order` of `seed` (inside-out Fisher-Yates).

    One sequential pass over the source; a copy and a shuffle would take two.
    """
    shuffle_from(words, source, stream(seed, order))


@compiled
def scatter(words: Array, source: Array, seed: np.uint64, order: int) -> None:
    """Fill `words` with `source` in random order through 16 buckets (Rao 1961, Sandelius 1962).

    Four bits of the stream choose each word's bucket; the buckets are stored one after the other and shuffled. The
    distribution is exactly that of `shuffle`, but a seed gives another order.
    """
    start = stream(seed, order)
    state, bits = start, _ZERO
    ends = np.zeros(BUCKETS + 1, np.uint64)
    for i in range(source.shape[0]):
        if i % 16 == 0:
            state += GOLDEN
            bits = mix(state)
        ends[(bits & _15) + _ONE] += _ONE
        bits >>= _FOUR
    for bucket in range(BUCKETS):
        ends[bucket + 1] += ends[bucket]
    free, state = ends.copy(), start
    for i in range(source.shape[0]):
        if i % 16 == 0:
            state += GOLDEN
            bits = mix(state)
        place = free[bits & _15]
        words[place] = source[i]
        free[bits & _15] = place + _ONE
        bits >>= _FOUR
    for bucket in range(BUCKETS):
        part = words[ends[bucket] : ends[bucket + 1]]
        state = shuffle_from(part, part, state)


@compiled
def resample(words: Array, source: Array, seed: np.uint64, order: int) -> None:
    """Fill `words` with independent draws from `source`, with replacement."""
    state = stream(seed, order)
    bound = np.uint64(source.shape[0])
    for i in range(words.shape[0]):
        j, state = _below(state, bound)
        words[i] = source[j]


@compiled
def play(words: Array, strength: Array, bits: np.uint64, gain: Array, squarings: int) -> None:
    """Play the words in order and update the strengths base^(rating / scale) [competitors]."""
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


@compiled
def _play_together(words: Array, lanes: int, strength: Array, bits: np.uint64, gain: Array, squarings: int) -> None:
    """`play` for `lanes` orders in lock step, with the same bits: words [LANES, n], strength [lanes, competitors]."""
    columns, scores = np.ones((strength.shape[1], LANES)), np.array([1.0, 0.0, 0.5, 0.5])
    for lane in range(lanes, LANES):
        words[lane, :] = words[0]
    for i in range(words.shape[1]):
        advance(words, i, columns, bits, gain, scores, squarings)  # pyright: ignore[reportCallIssue] - as above
    for lane in range(lanes):
        strength[lane, :] = columns[:, lane]


@compiled
def _draw(words: Array, source: Array, seed: np.uint64, order: int, replace: bool) -> None:
    """Fill `words` with order number `order` of `source`."""
    if replace:
        resample(words, source, seed, order)
    elif source.shape[0] >= SCATTERED:
        scatter(words, source, seed, order)
    else:
        shuffle(words, source, seed, order)


@compiled
def play_orders(
    words: Array,
    buffer: Array,
    competitors: int,
    bits: np.uint64,
    gain: Array,
    squarings: int,
    seed: np.uint64,
    first: int,
    last: int,
    replace: bool,
) -> Array:
    """Play the random orders first..last-1 from equal strengths; returns the strengths [last - first, competitors].

    `buffer` [LANES or 1, n] of the words' type is overwritten; it holds the orders of one batch. A batch of more than
    half of `LANES` is played in lock step, a smaller one order by order.
    """
    strengths, batch = np.ones((last - first, competitors)), buffer.shape[0]
    for start in range(first, last, batch):
        lanes = min(batch, last - start)
        for lane in range(lanes):
            _draw(buffer[lane], words, seed, start + lane, replace)
        if 2 * lanes > LANES:
            _play_together(buffer, lanes, strengths[start - first :], bits, gain, squarings)
        else:
            for lane in range(lanes):
                play(buffer[lane], strengths[start - first + lane], bits, gain, squarings)
    return strengths
