"""Votes that each pairing rule needs until ranks are known, and the move of a model by bots."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Final

import numpy as np
import typer
from numpy.typing import NDArray

from arena.domain.terms import PairingRule
from arena_rating.research import rank_bounds_by_difference
from benchmarks.pairing.arena import Arena, World
from benchmarks.results import Row, mean_row

_Array = NDArray[np.float64]

WORLDS: Final = (World(30, 400, 4), World(15, 250, 2), World(40, 800, 4))
"""Worlds of the report; constants were chosen on (20, 300, 3), (20, 600, 2) and (50, 500, 8) with lower seeds."""
ATTACKED: Final = (World(20, 300, 3), World(20, 600, 3))
FIRST_SEED: Final = 200_000
STEP: Final = 125
"""Votes between two tables."""
MAX_VOTES: Final = 60_000
HONEST: Final = 10_000
BOTS: Final = 25 * 30
"""Votes of 25 bots."""


def measure(
    seeds: Annotated[int, typer.Option(min=2, help="Simulated arenas per figure.")] = 20,
) -> Iterator[Row]:
    """Simulate how many votes each rule of pairing needs until ranks are known, and how far bots move their model."""
    for world in WORLDS:
        yield from _votes_needed(world, range(FIRST_SEED, FIRST_SEED + seeds))
    for world in ATTACKED:
        yield from _harm(world, range(FIRST_SEED, FIRST_SEED + seeds))


def _votes_needed(world: World, seeds: range) -> Iterator[Row]:
    """Votes until the mean rank interval has the world's width."""
    first: _Array | None = None
    for rule in PairingRule:
        runs = np.array([_run(world, rule, seed) for seed in seeds])
        votes: _Array = runs[:, 0]
        first = votes if first is None else first
        case, is_rank_rule = f"{world.name}, {rule}", rule is PairingRule.RANK
        yield mean_row(case, "votes needed", votes, "votes")
        yield _share(case, "share of the uniform rule's votes", votes, first, "≤ 0.85" if is_rank_rule else "")
        yield mean_row(case, "true ranks in their intervals", runs[:, 1], "", "≥ 0.95")
        yield mean_row(case, "votes of the most by the least shown", runs[:, 2], "", "≤ 2")


def _share(case: str, work: str, values: _Array, uniform: _Array, goal: str) -> Row:
    """The ratio of the means with its standard error."""
    return Row(
        case, work, float(values.mean() / uniform.mean()), "", goal, figures={"error": _share_error(values, uniform)}
    )


def _share_error(votes: _Array, uniform: _Array) -> float:
    """Standard error of a ratio of means over the same seeds, to first order."""
    residual = votes / uniform.mean() - uniform * votes.mean() / uniform.mean() ** 2
    return float(residual.std(ddof=1) / math.sqrt(len(residual)))


def _run(world: World, rule: PairingRule, seed: int) -> tuple[float, float, float]:
    """Vote until ranks are known; returns the votes, the coverage, and the most shown model's votes by the least's."""
    arena, true_ranks = Arena(world, rule, np.random.default_rng(seed)), np.arange(1, world.models + 1)
    low, high = np.ones_like(true_ranks), np.full_like(true_ranks, world.models)
    while (high - low).mean() > world.width and arena.played.sum() < 2 * MAX_VOTES:
        arena.vote(STEP)
        fit = arena.fit()
        if not fit.component.any():
            low, high = rank_bounds_by_difference(fit.rating, fit.covariance, fit.component)
    battles = arena.played
    return (
        battles.sum() / 2,
        float(((low <= true_ranks) & (true_ranks <= high)).mean()),
        float(battles.max() / battles.min()),
    )


def _harm(world: World, seeds: range) -> Iterator[Row]:
    """Move in points of the target of 25 bots among 10,000 honest votes."""
    first: _Array | None = None
    for rule in PairingRule:
        moves = np.array([_move(world, rule, seed) for seed in seeds])
        first = moves if first is None else first
        case = f"25 bots, {world.spread:.0f} points, {rule}"
        yield mean_row(case, "points that their model moves", moves, "points")
        yield _share(case, "share of the uniform rule's points", moves, first, "≤ 1")


def _move(world: World, rule: PairingRule, seed: int) -> float:
    arena, votes = Arena(world, rule, np.random.default_rng(seed)), HONEST + BOTS
    for _ in range(0, votes, STEP):
        arena.vote(STEP, BOTS / votes)
    return arena.move()
