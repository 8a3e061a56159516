"""Compile every loop of the board once, so that the first real computation on a machine need not wait."""

from __future__ import annotations

from typing import Final

import numpy as np

from arena_rating.category_leaderboards import Division, compute_by_category
from arena_rating.comparisons import Comparisons
from arena_rating.elo import EloParameters, elo_in_order, elo_over_orders
from arena_rating.leaderboard import LeaderboardParameters
from arena_rating.style import style_bradley_terry

_VOTES: Final = 64
_SIZES: Final = (4, 200, 40_000)
"""Competitors whose votes fill words of 16, 32 and 64 bits; the code is compiled for each width."""
_QUICKLY: Final = LeaderboardParameters(elo=EloParameters(orders=2))


def warm() -> None:
    """Run every compiled loop but those of `research` on a tiny log.

    The machine code is stored in numba's cache, beside this package or in `NUMBA_CACHE_DIR`, for later processes: about
    twenty seconds for the first call on a machine, half a second after that.
    """
    for size in _SIZES:
        log = _log(size)
        elo_in_order(log)
        elo_over_orders(log, EloParameters(orders=2), seed=0)
    list(compute_by_category(_log(4), Division.of(["one", "other"] * (_VOTES // 2)), _QUICKLY, seed=0))
    style_bradley_terry(_log(4), np.arange(_VOTES, dtype=np.float64)[:, None] % 7)


def _log(size: int) -> Comparisons:
    left = np.arange(_VOTES, dtype=np.int32) % (size - 1)
    outcome, names = (np.arange(_VOTES) % 4).astype(np.uint8), tuple(map(str, range(size)))
    return Comparisons(left, left + 1, outcome, None, np.arange(_VOTES, dtype=np.int32) % 5, None, names)
