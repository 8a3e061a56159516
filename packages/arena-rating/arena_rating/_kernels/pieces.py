"""Elo over random orders of a log whose orders do not fit in memory together: a few buckets of `scatter` at a time.

An order of `scatter` is sixteen buckets one after the other, so it can be drawn and played a piece at a time, for one
more pass over the log each. The numbers drawn are the same ones in the same sequence, so the bits are those of
`elo.play_orders`. Pieces of different orders differ in length; what one is longer by waits for the next piece.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from arena_rating._kernels.compilation import Array, compiled
from arena_rating._kernels.elo import BUCKETS, play_lanes, shuffle_from
from arena_rating._kernels.lanes import FEW, LANES
from arena_rating._kernels.splitmix import GOLDEN, mix, stream

_ZERO: Final = np.uint64(0)
_FOUR: Final = np.uint64(4)
_15: Final = np.uint64(15)


@compiled
def _sizes(votes: int, state: np.uint64) -> tuple[Array, np.uint64]:
    """The number of votes in each bucket of an order, int64 [BUCKETS], and the state from which they are shuffled."""
    sizes, drawn = np.zeros(BUCKETS, np.int64), _ZERO
    for i in range(votes):
        if i % 16 == 0:
            state += GOLDEN
            drawn = mix(state)
        sizes[drawn & _15] += 1
        drawn >>= _FOUR
    return sizes, state


@compiled
def _place(words: Array, source: Array, state: np.uint64, free: Array, step: Array) -> None:
    """Append each vote to its bucket at `free`; buckets with a `step` of 0 fill one spare place over and over."""
    drawn = _ZERO
    for i in range(source.shape[0]):
        if i % 16 == 0:
            state += GOLDEN
            drawn = mix(state)
        bucket = drawn & _15
        place = free[bucket]
        words[place] = source[i]
        free[bucket] = place + step[bucket]
        drawn >>= _FOUR


@compiled
def _append(  # noqa: PLR0917 - compiled code takes positions
    words: Array, at: int, source: Array, start: np.uint64, state: np.uint64, sizes: Array, first: int
) -> tuple[int, np.uint64]:
    """Append the buckets from `first` on that `sizes` has, shuffled; returns their end and the next state.

    Votes choose their buckets from `start` on; the shuffles go on from `state`.
    """
    free, step = np.full(BUCKETS, words.shape[0] - 1), np.zeros(BUCKETS, np.int64)
    end = at
    for bucket in range(sizes.shape[0]):
        free[first + bucket], step[first + bucket] = end, 1
        end += sizes[bucket]
    _place(words, source, start, free, step)
    for size in sizes:
        part = words[at : at + size]
        state = shuffle_from(part, part, state)
        at += size
    return at, state


@compiled
def _room(sizes: Array, width: int) -> int:
    """Most votes that a lane holds at once, and the spare place."""
    most, ends, before = 0, np.zeros(LANES, np.int64), 0
    for first in range(0, BUCKETS, width):
        for lane in range(LANES):
            ends[lane] += sizes[lane, first : first + width].sum()
        most = max(most, ends.max() - before)
        before = ends.min()
    return most + 1


@compiled
def _drawn(votes: int, begins: Array) -> tuple[Array, Array]:
    """The sizes of all lanes' buckets, and their states; lanes without an order have the sizes of the first one's."""
    lanes = begins.shape[0]
    sizes, states = np.empty((LANES, BUCKETS), np.int64), np.zeros(LANES, np.uint64)
    for lane in range(lanes):
        sizes[lane], states[lane] = _sizes(votes, begins[lane])
    for lane in range(lanes, LANES):
        sizes[lane] = sizes[0]
    return sizes, states


@compiled
def _keep_rest(buffer: Array, held: Array, ready: int, played: int) -> None:
    """Move what has not been played, all after the first `ready` votes, to the beginning of each `played` lane."""
    held -= ready
    for lane in range(played):
        for i in range(held[lane]):
            buffer[lane, i] = buffer[lane, ready + i]


@compiled
def _play_group(  # noqa: PLR0917 - compiled code takes positions
    words: Array,
    buffer: Array,
    begins: Array,
    sizes: Array,
    states: Array,
    strength: Array,
    bits: np.uint64,
    gain: Array,
    squarings: int,
    lanes: int,
    width: int,
) -> None:
    """Play `lanes` orders that begin at the states `begins`; `sizes` and `states` are those of `_drawn`."""
    held, played = np.zeros(LANES, np.int64), FEW if lanes <= FEW else LANES
    for bucket in range(0, BUCKETS, width):
        for lane in range(lanes):
            piece = sizes[lane, bucket : bucket + width]
            held[lane], states[lane] = _append(
                buffer[lane], held[lane], words, begins[lane], states[lane], piece, bucket
            )
        for lane in range(lanes, LANES):
            held[lane] = held[0]
        for lane in range(lanes, played):
            buffer[lane, : held[0]] = buffer[0, : held[0]]
        ready = held.min()
        play_lanes(buffer, ready, strength, bits, gain, squarings, lanes)
        _keep_rest(buffer, held, ready, played)


def play_pieces(  # noqa: PLR0917 - as `elo.play_orders`
    words: Array,
    competitors: int,
    bits: np.uint64,
    gain: Array,
    squarings: int,
    seed: np.uint64,
    first: int,
    last: int,
    width: int,
) -> Array:
    """Play the random orders first..last-1 of a scattered log, `width` of the 16 buckets at a time.

    `width` divides 16. Returns the strengths as `elo.play_orders` does; memory is that of LANES x width / 16 logs. The
    buffer is numpy's, which asks for large pages, as compiled code does not: in small ones a shuffle is slower.
    """
    played = np.empty((last - first, competitors), np.float64)
    for start in range(first, last, LANES):
        lanes = min(LANES, last - start)
        begins = np.array([stream(seed, start + lane) for lane in range(lanes)], np.uint64)
        sizes, states = _drawn(words.shape[0], begins)
        buffer, strength = np.empty((LANES, _room(sizes, width)), words.dtype), np.ones((competitors, LANES))
        _play_group(words, buffer, begins, sizes, states, strength, bits, gain, squarings, lanes, width)
        played[start - first :][:lanes] = strength[:, :lanes].T
    return played
