"""SplitMix64 (Steele, Lea, Flood 2014) for compiled loops: one stream of integers per seed and number.

The same generator and the same streams as those of the shuffles, so a seed means one thing throughout.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from arena.rating.compiling import compiled

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
"""What a state grows by from one number to the next."""

_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)
_11: Final = np.uint64(11)
_27: Final = np.uint64(27)
_30: Final = np.uint64(30)
_31: Final = np.uint64(31)
_UNIT: Final = 1.0 / (1 << 53)


@compiled
def mix(z: np.uint64) -> np.uint64:
    """Scatter the bits of a word, one to one."""
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


@compiled
def stream(seed: np.uint64, number: int) -> np.uint64:
    """The start of stream `number` of a seed: far from those of other numbers and seeds."""
    return mix(mix(seed + GOLDEN) + np.uint64(number + 1) * GOLDEN)


@compiled
def uniform(state: np.uint64) -> tuple[float, np.uint64]:
    """A multiple of 2^-53 in [0, 1), and the state after it."""
    state += GOLDEN
    return np.float64(mix(state) >> _11) * _UNIT, state
