"""Votes that each rule of pairing needs until ranks are known, in simulated arenas whose true ranks are known.

An honest voter prefers the better model with Bradley-Terry's probability and ties a quarter of the battles of equal
models. A bot votes for its model where that takes part, and honestly elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Final

import numpy as np
import typer
from numpy.typing import NDArray

from arena.domain.pairing.pair_table import PairTable, pair_table
from arena.domain.terms import PairingRule
from arena_rating import BradleyTerry, PairCounts, bradley_terry
from arena_rating.research import rank_bounds_by_difference
from benchmarks.results import Row, mean_row

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


WORLDS: Final = (World(30, 400, 4), World(15, 250, 2), World(40, 800, 4))
"""Worlds of the report: constants were chosen on (20, 300, 3), (20, 600, 2) and (50, 500, 8), and lower seeds."""
ATTACKED: Final = World(20, 300, 3)
FIRST_SEED: Final = 100_000
STEP: Final = 125
"""Votes between two tables."""
MOST: Final = 60_000
HONEST: Final = 10_000
BOTS: Final = 25 * 30
"""Votes of 25 bots among the honest ones."""


def measure(
    seeds: Annotated[int, typer.Option(min=2, help="Simulated arenas per figure.")] = 20,
) -> Iterator[Row]:
    """Simulate how many votes each rule of pairing needs until ranks are known, and how far bots move their model."""
    for world in WORLDS:
        yield from _needed(world, range(FIRST_SEED, FIRST_SEED + seeds))
    yield from _harm(ATTACKED, range(FIRST_SEED, FIRST_SEED + seeds))


def _needed(world: World, seeds: range) -> Iterator[Row]:
    """Votes until the mean rank interval is as narrow as the world asks."""
    first: _Array | None = None
    for rule in PairingRule:
        runs = np.array([_run(world, rule, seed) for seed in seeds])
        votes: _Array = runs[:, 0]
        first = votes if first is None else first
        case, best = f"{world.name}, {rule}", rule is PairingRule.RANK
        yield mean_row(case, "votes needed", votes, "votes")
        yield _share(case, "share of the uniform rule's votes", votes, first, "≤ 0.85" if best else "")
        yield mean_row(case, "true ranks in their intervals", runs[:, 1], "", "≥ 0.95")
        yield mean_row(case, "votes of the most by the least shown", runs[:, 2], "", "≤ 2")


def _share(case: str, work: str, values: _Array, uniform: _Array, goal: str) -> Row:
    """The ratio of the means with its error."""
    return Row(
        case, work, float(values.mean() / uniform.mean()), "", goal, figures={"error": _share_error(values, uniform)}
    )


def _share_error(votes: _Array, uniform: _Array) -> float:
    """Standard error of a ratio of means, to the first order, over the same seeds."""
    rest = votes / uniform.mean() - uniform * votes.mean() / uniform.mean() ** 2
    return float(rest.std(ddof=1) / math.sqrt(len(rest)))


def _run(world: World, rule: PairingRule, seed: int) -> tuple[float, float, float]:
    """Vote until the ranks are known; returns votes, coverage and exposure."""
    arena, true = Arena(world, rule, np.random.default_rng(seed)), np.arange(1, world.models + 1)
    low, high = np.ones_like(true), np.full_like(true, world.models)
    while (high - low).mean() > world.width and arena.played.sum() < 2 * MOST:
        arena.vote(STEP)
        fit = arena.fit()
        if not fit.component.any():
            low, high = rank_bounds_by_difference(fit.rating, fit.covariance, fit.component)
    played = arena.played
    return played.sum() / 2, float(((low <= true) & (true <= high)).mean()), float(played.max() / played.min())


def _harm(world: World, seeds: range) -> Iterator[Row]:
    """How far 25 bots among 10,000 honest votes move their model, in points, over the same seeds with and without."""
    first: _Array | None = None
    for rule in PairingRule:
        moves = np.array([_place(world, rule, seed, BOTS) - _place(world, rule, seed, 0) for seed in seeds])
        first = moves if first is None else first
        case = f"25 bots, {rule}"
        yield mean_row(case, "points that their model moves", moves, "points")
        yield _share(case, "share of the uniform rule's points", moves, first, "≤ 1")


def _place(world: World, rule: PairingRule, seed: int, bots: int) -> float:
    """The rating of the model in the middle, relative to all, in points."""
    arena, votes = Arena(world, rule, np.random.default_rng(seed)), HONEST + bots
    for _ in range(0, votes, STEP):
        arena.vote(STEP, bots / votes)
    rating = arena.fit().rating
    return float(rating[world.models // 2] - rating.mean())
