"""SplitMix64 (Steele, Lea, Flood 2014) for compiled loops: a stream of integers per seed and stream number."""

from __future__ import annotations

from typing import Final

import numpy as np

from arena_rating._kernels.compilation import compiled

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
"""Increment of the state from one number to the next."""

_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)
_11: Final = np.uint64(11)
_27: Final = np.uint64(27)
_30: Final = np.uint64(30)
_31: Final = np.uint64(31)
_UNIT: Final = 1.0 / (1 << 53)


@compiled
def mix(z: np.uint64) -> np.uint64:
    """Finaliser: a bijective mix of the bits of a word."""
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


@compiled
def stream(seed: np.uint64, number: int) -> np.uint64:
    """Initial state of stream `number` of a seed, scattered far from those of other numbers and seeds."""
    return mix(mix(seed + GOLDEN) + np.uint64(number + 1) * GOLDEN)


@compiled
def uniform(state: np.uint64) -> tuple[float, np.uint64]:
    """A uniform multiple of 2^-53 in [0, 1), and the next state."""
    state += GOLDEN
    return np.float64(mix(state) >> _11) * _UNIT, state
