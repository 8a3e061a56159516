"""Simulated arenas whose true ranks are known, with honest voters and bots.

An honest voter prefers the better model with Bradley-Terry's probability and ties a quarter of the battles of equal
models. A bot votes for its model where that takes part, and honestly elsewhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.domain.pairing.pair_table import PairTable, pair_table
from arena.domain.terms import PairingRule
from arena_rating import BradleyTerry, PairCounts, bradley_terry

TIES: Final = 0.25
_Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class World:
    """Models with evenly spaced strengths over `spread` points, and the mean rank interval that ends the count."""

    models: int
    spread: float
    width: float

    @property
    def strength(self) -> _Array:
        """Ratings [models] in points, the best first."""
        return np.linspace(self.spread / 2, -self.spread / 2, self.models)

    @property
    def name(self) -> str:
        """The world in a few words."""
        return f"{self.models} models, {self.spread:.0f}, w {self.width:g}"


@dataclass(slots=True)
class Arena:
    """A world with the votes so far. The table is computed anew before each batch of votes, as the worker does."""

    world: World
    rule: PairingRule
    rng: np.random.Generator
    counts: PairCounts = field(init=False)

    def __post_init__(self) -> None:
        """Begin without votes."""
        size = self.world.models
        names = tuple(map(str, range(size)))
        self.counts = PairCounts(names, np.zeros((size, size)), np.zeros((size, size)), np.zeros((size, size)))

    @property
    def played(self) -> _Array:
        """Votes of each model."""
        return self.counts.battles.sum(axis=1)

    def fit(self) -> BradleyTerry:
        """The ratings by the votes so far."""
        return bradley_terry(self.counts)

    def table(self) -> PairTable:
        """The table that the worker would publish now."""
        fit = self.fit()
        return pair_table(range(len(fit.names)), fit.rating, fit.covariance, self.played.astype(np.int64), self.rule)

    def vote(self, votes: int, bots: float = 0.0) -> None:
        """Add votes on pairs drawn from the table, a share of them by bots for the model in the middle."""
        first, second = np.triu_indices(self.world.models, k=1)
        chance = self.table().chance[first, second]
        drawn = self.rng.choice(len(first), votes, p=chance / chance.sum())
        a, b = first[drawn], second[drawn]
        gap = self.world.strength[a] - self.world.strength[b]
        better = 1 / (1 + np.exp(-gap * math.log(10) / 400))
        tied = self.rng.random(votes) < TIES * 4 * better * (1 - better)
        won = self.rng.random(votes) < better
        target = self.world.models // 2
        pushed = (self.rng.random(votes) < bots) & ((a == target) | (b == target))
        self._add(a, b, np.where(pushed, a == target, won), tied & ~pushed)

    def _add(self, a: NDArray[np.intp], b: NDArray[np.intp], won: NDArray[np.bool_], tied: NDArray[np.bool_]) -> None:
        np.add.at(self.counts.wins, (np.where(won, a, b)[~tied], np.where(won, b, a)[~tied]), 1)
        for side, other in ((a, b), (b, a)):
            np.add.at(self.counts.ties, (side[tied], other[tied]), 1)
