"""The pair table: the probability of each pair of models, published with a snapshot and used until the next one.

It depends on published results only, not on voters or prompts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.pairing.exposure import balanced
from arena.domain.pairing.gain import best_pairs, nearness, rank_gain
from arena.domain.terms import PairingRule

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

VERSION: Final = 1
"""Version of the storage format."""
SAME_SPEED: Final = 2.0
"""Factor on pairs within one class of speed: with slow models paired together, fewer battles wait for a slow one."""
_STORED: Final = np.dtype("<f4")


class UnknownForm(ValueError):
    """A stored table in a format that this version cannot read."""


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """Probabilities of unordered pairs; `chance` is float64 [m, m], symmetric, in the order of `endpoints`."""

    endpoints: tuple[int, ...]
    chance: NDArray[np.float64]

    def among(self, pool: Sequence[int]) -> NDArray[np.float64]:
        """Probabilities of the pairs of `pool`, up to a factor; a pair with a model not in the table has the mean."""
        index_of = {number: index for index, number in enumerate(self.endpoints)}
        indices = np.array([index_of.get(number, -1) for number in pool], np.intp)
        result = self.chance[np.ix_(indices, indices)]
        is_new = indices < 0
        result[is_new, :] = result[:, is_new] = 2 / (len(self.endpoints) * (len(self.endpoints) - 1))
        np.fill_diagonal(result, 0.0)
        return result

    def encoded(self) -> bytes:
        """The upper triangle, row by row, as little-endian float32."""
        return self.chance[np.triu_indices(len(self.endpoints), k=1)].astype(_STORED).tobytes()


def decoded(version: int, endpoints: Sequence[int], stored: bytes) -> PairTable:
    """A table from its storage format.

    Raises:
        UnknownForm: It has another version or is damaged.
    """
    size = len(endpoints)
    pairs = size * (size - 1) // 2
    if version != VERSION or size < 2 or len(stored) != pairs * _STORED.itemsize:  # a pair
        raise UnknownForm(f"a pair table of version {version} with {size} models in {len(stored)} bytes")
    chance = np.zeros((size, size))
    chance[np.triu_indices(size, k=1)] = np.frombuffer(stored, _STORED)
    if not (np.isfinite(chance).all() and (chance >= 0).all() and chance.any()):
        raise UnknownForm("a pair table without probabilities")
    return PairTable(tuple(endpoints), chance + chance.T)


def pair_table(
    endpoints: Sequence[int],
    rating: NDArray[np.float64],
    covariance: NDArray[np.float64],
    votes: NDArray[np.int64],
    rule: PairingRule,
    slow: Collection[int] = (),
) -> PairTable:
    """The table of two or more models, from their ratings [m], covariance [m, m] (see `gain`) and counted votes [m].

    `slow` has the endpoints of the slower class of speed.
    """
    preference = {
        PairingRule.RANK: lambda: best_pairs(rank_gain(rating, covariance)),
        PairingRule.NEAR: lambda: nearness(rating),
        PairingRule.UNIFORM: lambda: np.ones((len(votes), len(votes))),
    }[rule]()
    is_slow = np.array([number in slow for number in endpoints])
    preference *= np.where(is_slow[:, None] == is_slow, SAME_SPEED, 1.0)
    return PairTable(tuple(endpoints), balanced(preference, votes))
