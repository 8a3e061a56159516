"""The figures of `uv run benchmarks pairing`."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import asdict, dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arena.domain.pairing.draw import Candidate, choose
from arena.domain.terms import PairingRule
from arena_rating.research import rank_bounds_by_difference
from benchmarks.pairing.worlds import Arena, World

if TYPE_CHECKING:
    from collections.abc import Iterator

WORLDS: Final = (World(20, 300, 3), World(20, 600, 2), World(50, 500, 8))
STEP: Final = 125
"""Votes between two tables."""
MOST: Final = 60_000
HONEST: Final = 10_000
BOTS: Final = 25 * 30
"""Votes of 25 bots."""
DRAWS: Final = 200_000


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of one case, and the goal that it should not exceed, or reach if it is a lower bound."""

    case: str
    work: str
    value: float
    goal: str = ""

    def record(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return asdict(self)


def as_line(row: Row) -> str:
    """Format one row."""
    return f"{row.case:32}{row.work:40}{row.value:>12,.4g}  {row.goal}"


def measure(seeds: int) -> Iterator[Row]:
    """Yield all figures, means over this many seeds."""
    for world in WORLDS:
        yield from _needed(world, seeds)
    yield from _harm(WORLDS[0], seeds)
    yield _surprise()
    for models in (100, 1_000):
        yield _seconds(models)


def _needed(world: World, seeds: int) -> Iterator[Row]:
    """Votes until the mean rank interval is as narrow as the world asks."""
    uniform = 0.0
    for rule in PairingRule:
        runs = np.array([_run(world, rule, seed) for seed in range(seeds)])
        votes, coverage, exposure = runs.mean(axis=0)
        uniform = uniform or votes
        case, best = f"{world.name}, {rule}", rule is PairingRule.RANK
        yield Row(case, "votes needed", float(votes))
        yield Row(case, "share of the uniform rule's votes", float(votes / uniform), "<= 0.85" if best else "")
        yield Row(case, "true ranks in their intervals", float(coverage), ">= 0.95")
        yield Row(case, "votes of the most by the least shown", float(exposure), "<= 2")


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


def _harm(world: World, seeds: int) -> Iterator[Row]:
    """By how much 25 bots among 10,000 honest votes move their model, in points."""
    uniform = 0.0
    for rule in PairingRule:
        moves = [_place(world, rule, seed, BOTS) - _place(world, rule, seed, 0) for seed in range(seeds)]
        moved = float(np.mean(moves))
        uniform = uniform or moved
        yield Row(f"25 bots, {rule}", "points that their model moves", moved)
        yield Row(f"25 bots, {rule}", "share of the uniform rule's", moved / uniform, "<= 1")


def _place(world: World, rule: PairingRule, seed: int, bots: int) -> float:
    """The rating of the model in the middle, relative to all, in points."""
    arena, votes = Arena(world, rule, np.random.default_rng(seed)), HONEST + bots
    for _ in range(0, votes, STEP):
        arena.vote(STEP, bots / votes)
    rating = arena.fit().rating
    return float(rating[world.models // 2] - rating.mean())


def _surprise() -> Row:
    """How surprising 200,000 draws are by the probabilities stored with them, in standard errors of chi-squared."""
    arena, rng = Arena(WORLDS[0], PairingRule.RANK, np.random.default_rng(1)), Random(1)
    arena.vote(2_000)
    table, pool = arena.table(), [Candidate(number) for number in range(WORLDS[0].models)]
    drawn, stored = Counter[frozenset[int]](), dict[frozenset[int], float]()
    for _ in range(DRAWS):
        pairing = choose(pool, rng, table=table)
        pair = frozenset((pairing.a, pairing.b))
        drawn[pair] += 1
        stored[pair] = pairing.probability
    free = len(stored) - 1
    squares = sum((drawn[pair] - DRAWS * chance) ** 2 / (DRAWS * chance) for pair, chance in stored.items())
    return Row(
        "20 models, rank", "200,000 draws: (chi2 - df) / sqrt(2 df)", (squares - free) / (2 * free) ** 0.5, "<= 3.1"
    )


def _seconds(models: int) -> Row:
    """Processor time of a table, the fit apart."""
    arena = Arena(World(models, 600, 1), PairingRule.RANK, np.random.default_rng(1))
    arena.vote(500 * models)
    # The fit is part of the snapshot.
    before = time.process_time()
    arena.fit()
    fitted = time.process_time()
    arena.table()
    seconds = time.process_time() - fitted - (fitted - before)
    return Row(f"{models} models, rank", "table, seconds of processor", seconds, "<= 0.05" if models == 100 else "<= 2")  # noqa: PLR2004
