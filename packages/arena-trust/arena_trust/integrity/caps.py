"""Caps on what one voter and one neighbourhood contribute; votes beyond them weigh less, in the order of the log."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.cast_votes import UNKNOWN, CastVotes
from arena_trust.integrity.distinct_keys import distinct
from arena_trust.integrity.slices import DAY

if TYPE_CHECKING:
    from numpy.typing import NDArray

PER_PAIR: Final = 3
"""Votes of a voter on a pair that weigh in full, if an even spread over the pairs would not give more."""
PER_NETWORK: Final = 30
"""Votes of a neighbourhood on a model and day that weigh in full, half of them with the model on either side, if
`SHARE` of the others' votes on it is not more."""
SHARE: Final = 0.1
_BUCKETS: Final = 4_194_301
"""A prime, so that keys in steps fall into different buckets."""
_STEPS: Final = np.array([1.0, 0.5, 0.25])


def pair_weights(log: CastVotes) -> NDArray[np.float64]:
    """Weights by the cap per voter and pair: 1 up to the cap, 1/2 up to twice, 1/4 up to four times the cap, then 0."""
    size, weight = len(log.names), np.ones(len(log))
    low, high = np.minimum(log.left, log.right), np.maximum(log.left, log.right)
    key = (log.voter.astype(np.int64) * size + low) * size + high
    rows = np.flatnonzero(_maybe_above(key, PER_PAIR))
    pairs = max(1, size * (size - 1) // 2)
    counts = np.bincount(log.voter)
    # By the middle voter, not by the own number of votes: who votes more may not repeat more.
    cap = max(PER_PAIR, math.ceil(3 * float(np.median(counts[counts > 0])) / pairs)) if len(log) else PER_PAIR
    ratio = occurrence(key[rows]) / cap
    weight[rows] = np.where(ratio < 4, _STEPS[np.minimum(ratio, 2).astype(np.int64)], 0.0)  # noqa: PLR2004
    return weight


def network_weights(log: CastVotes) -> NDArray[np.float64]:
    """Weights by the cap per neighbourhood, model and day, the lower one of a vote's two models; never below a quarter.

    Schools share an address, so an address alone excludes nobody.
    """
    size, day = len(log.names), log.second // DAY
    known = np.flatnonzero(log.network != UNKNOWN)
    network = log.network[known].astype(np.int64)
    total = np.bincount(log.left, minlength=size) + np.bincount(log.right, minlength=size)
    weight = np.ones(len(log))
    for side in (log.left, log.right):
        weight[known] = np.minimum(weight[known], _side_weights(log, known, network * size + side[known], day, total))
    return weight


def _side_weights(
    log: CastVotes, known: NDArray[np.intp], place: NDArray[np.int64], day: NDArray[np.int64], total: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Weights by the votes of neighbourhood and model `place` that day with the model on one side."""
    size, weight = len(log.names), np.ones(len(known))
    key = place * (int(day.max(initial=0)) + 1) + day[known]
    rows = np.flatnonzero(_maybe_above(key, PER_NETWORK // 2))
    cells, cell = distinct(place, int(place.max(initial=-1)) + 1)
    others = total[place[rows] % size] - 2 * np.bincount(cell, minlength=len(cells))[cell[rows]]
    ratio = occurrence(key[rows]) / np.maximum(PER_NETWORK / 2, SHARE / 2 * others)
    weight[rows] = _STEPS[np.minimum(ratio, 2).astype(np.int64)]
    return weight


def _maybe_above(key: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    """Which values occur more than `count` times, and few others: their number is that of all in one bucket."""
    bucket = key % _BUCKETS
    return np.bincount(bucket, minlength=_BUCKETS)[bucket] > count


def occurrence(key: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of earlier equal values, by value."""
    order = np.argsort(key, kind="stable")
    ranked = key[order]
    start = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1])[: len(key)])
    place = np.empty(len(key), np.int64)
    place[order] = np.arange(len(key)) - np.repeat(start, np.diff(np.append(start, len(key))))
    return place
