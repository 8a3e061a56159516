"""Warm-up: compile every loop of the leaderboard before the first real computation on a machine."""

from __future__ import annotations

from typing import Final

import numpy as np

from arena_rating.board.parameters import LeaderboardParameters
from arena_rating.categories.boards import Division, compute_by_category, pool_of
from arena_rating.categories.shrinkage import MIN_MODELS
from arena_rating.comparisons import Comparisons
from arena_rating.counts import sums_by_code, sums_of_kinds
from arena_rating.elo import EloParameters, elo_in_order, elo_over_orders
from arena_rating.style import style_bradley_terry

_VOTES: Final = 64
_SIZES: Final = (4, 200, 40_000)
"""Numbers of competitors whose votes take words of 16, 32 and 64 bits; code is compiled for each width."""
_PARAMETERS: Final = LeaderboardParameters(elo=EloParameters(orders=2))


def warm() -> None:
    """Run every compiled loop but those of `research` on a tiny log.

    The first call on a machine takes about twenty seconds, later ones half a second: numba caches machine code beside
    this package or in `NUMBA_CACHE_DIR`.
    """
    for size in _SIZES:
        log = _log(size)
        elo_in_order(log)
        elo_over_orders(log, EloParameters(orders=2), seed=0)
    log, division = _log(MIN_MODELS + 2), Division.of(["one", "other"] * (_VOTES // 2))
    list(compute_by_category(log, division, _PARAMETERS, seed=0, pool=pool_of(log, [division], _PARAMETERS)))
    rows = np.arange(_VOTES)
    for kind in (np.uint8, np.int32):
        sums_by_code((rows % 200).astype(kind), rows, np.zeros((_VOTES, 2)), _VOTES)
    sums_of_kinds(rows, rows, np.zeros(_VOTES), _VOTES)
    style_bradley_terry(_log(4), np.arange(_VOTES, dtype=np.float64)[:, None] % 7)


def _log(size: int) -> Comparisons:
    left = np.arange(_VOTES, dtype=np.int32) % (size - 1)
    outcome, names = (np.arange(_VOTES) % 4).astype(np.uint8), tuple(map(str, range(size)))
    return Comparisons(left, left + 1, outcome, None, np.arange(_VOTES, dtype=np.int32) % 5, None, names)
