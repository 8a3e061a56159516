"""The pair table: how likely each pair of models is, published with a snapshot and drawn from until the next.

It depends on public results only, on no voter and no prompt.
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
"""Version of the stored form."""
SAME_SPEED: Final = 2.0
"""How much likelier two models of one class of speed meet: where slow meets slow, fewer people wait for a slow one."""
_STORED: Final = np.dtype("<f4")


class UnknownForm(ValueError):
    """A stored table that this version cannot read."""


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """Probabilities of unordered pairs; `chance` is float64 [m, m], symmetric, in the order of `endpoints`."""

    endpoints: tuple[int, ...]
    chance: NDArray[np.float64]

    def among(self, pool: Sequence[int]) -> NDArray[np.float64]:
        """The probabilities of the pairs of `pool`, up to a factor; a model that the table lacks has an even share."""
        place = {number: index for index, number in enumerate(self.endpoints)}
        positions = np.array([place.get(number, -1) for number in pool], np.intp)
        result = self.chance[np.ix_(positions, positions)]
        new = positions < 0
        result[new, :] = result[:, new] = 2 / (len(self.endpoints) * (len(self.endpoints) - 1))
        np.fill_diagonal(result, 0.0)
        return result

    def encoded(self) -> bytes:
        """The upper triangle, row by row."""
        return self.chance[np.triu_indices(len(self.endpoints), k=1)].astype(_STORED).tobytes()


def decoded(version: int, endpoints: Sequence[int], stored: bytes) -> PairTable:
    """A table from its stored form.

    Raises:
        UnknownForm: It is of another version, or damaged.
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
    """The table of at least two models with these ratings (see `gain`) and numbers of counted votes, all [m].

    `slow` has those of the slower class of speed.
    """
    preference = {
        PairingRule.RANK: lambda: best_pairs(rank_gain(rating, covariance)),
        PairingRule.NEAR: lambda: nearness(rating),
        PairingRule.UNIFORM: lambda: np.ones((len(votes), len(votes))),
    }[rule]()
    slower = np.array([number in slow for number in endpoints])
    preference *= np.where(slower[:, None] == slower, SAME_SPEED, 1.0)
    return PairTable(tuple(endpoints), balanced(preference, votes))
