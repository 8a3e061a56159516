"""Synthetic vote logs, and files of their columns for measured processes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

COMPETITORS: Final = 100
FEATURES: Final = 4
_STRENGTH: Final = 120 * math.log(10) / 400  # 120 points
_POPULARITY: Final = 1.2
_TIES: Final = 0.75
_BOTH_BAD: Final = 10 / 26
_PIECE: Final = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """Columns of n votes, independent of `arena`.

    Attributes:
        left: int32 [n], index of the left competitor.
        right: int32 [n], the same for the right one, never equal.
        outcome: uint8 [n]; 0 left wins, 1 right wins, 2 tie, 3 both are bad.
        features: float64 [at most n, 4], standardised differences of style of the first votes.
    """

    left: NDArray[np.int32]
    right: NDArray[np.int32]
    outcome: NDArray[np.uint8]
    features: NDArray[np.float64]

    def head(self, votes: int) -> Data:
        """Return the first `votes` votes."""
        return Data(self.left[:votes], self.right[:votes], self.outcome[:votes], self.features[:votes])


def synthetic(votes: int, seed: int = 1) -> Data:
    """Draw a log of 100 competitors with normal strengths (sd 120 points) and lognormal popularity.

    Outcomes follow Davidson's model (1970), P(tie) = v sqrt(p q) / (p + q + v sqrt(p q)), about 37/37/26 %; ten of 26
    ties are "both are bad". Style adds to the strength.
    """
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, _STRENGTH, COMPETITORS)
    popularity = rng.lognormal(0, _POPULARITY, COMPETITORS)
    pieces = [
        _piece(rng, strength, popularity / popularity.sum(), min(_PIECE, votes - start))
        for start in range(0, votes, _PIECE)
    ]
    return Data(*(np.concatenate(column) for column in zip(*pieces, strict=True)))


def _piece(
    rng: np.random.Generator, strength: NDArray[np.float64], popularity: NDArray[np.float64], votes: int
) -> tuple[NDArray[np.generic], ...]:
    left = rng.choice(COMPETITORS, votes, p=popularity)
    right = rng.choice(COMPETITORS, votes, p=popularity)
    is_same = left == right
    right[is_same] = (left[is_same] + rng.integers(1, COMPETITORS, int(is_same.sum()))) % COMPETITORS
    features = rng.normal(0, 1, (votes, FEATURES))
    gap = strength[left] - strength[right] + features @ np.linspace(0.3, 0.0, FEATURES)
    outcome = _outcomes(rng, gap)
    return left.astype(np.int32), right.astype(np.int32), outcome, features


def _outcomes(rng: np.random.Generator, gap: NDArray[np.float64]) -> NDArray[np.uint8]:
    win, lose = np.exp(gap / 2), np.exp(-gap / 2)
    draw = rng.random(len(gap)) * (win + lose + _TIES)
    tie = np.where(rng.random(len(gap)) < _BOTH_BAD, 3, 2)
    return np.where(draw < win, 0, np.where(draw < win + lose, 1, tie)).astype(np.uint8)


def write(data: Data, folder: Path, feature_count: int) -> None:
    """Write one file per column; features only for the first `feature_count` votes, to save space."""
    for name in ("left", "right", "outcome"):
        np.save(folder / f"{name}.npy", getattr(data, name))
    np.save(folder / "features.npy", data.features[:feature_count])


def read(folder: Path) -> Data:
    """Read the columns into memory."""
    return Data(*(np.load(folder / f"{name}.npy") for name in ("left", "right", "outcome", "features")))
