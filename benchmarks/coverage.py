"""Coverage of intervals when voters differ in taste and vote within a day, a week or a month.

A voter's taste adds a normal effect per model, with a standard deviation in logits; the truth is the Bradley-Terry
projection of the mean over voters. On the board a cluster is a pseudonym's votes of a day, so a person who votes on
several days is several clusters. The rows of several days show the coverage lost, and that of clusters by week.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Final

import numpy as np
import typer

from arena_rating import ClusteredRows, Comparisons, PairCounts, bradley_terry, clustered, pair_counts
from arena_rating.clusters import measure_widening
from benchmarks.results import Row, mean_row

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

MODELS: Final = 20
VOTES: Final = 10_000
STEEP: Final = 1.2
"""Exponent of the Pareto distribution of votes per voter, by which a few voters cast hundreds."""
NODES: Final = 60


@dataclass(frozen=True, slots=True)
class World:
    """Voters, the spread of their tastes in logits, and whether all cast equally many votes."""

    voters: int
    taste: float
    equal: bool

    def __str__(self) -> str:
        votes = f"{VOTES // self.voters} votes each" if self.equal else "Pareto votes"
        return f"{self.voters} voters, {votes}, taste {self.taste:g}"


WORLDS: Final = (
    World(500, 0.0, equal=True),
    World(500, 0.5, equal=True),
    World(200, 0.5, equal=True),
    World(200, 1.0, equal=True),
    World(500, 1.0, equal=False),
    World(1000, 1.0, equal=False),
)


def measure(
    worlds: Annotated[int, typer.Option(min=1, help="Logs drawn of each kind.")] = 40,
    seed: Annotated[int, typer.Option(help="Seed of the first log.")] = 0,
) -> Iterator[Row]:
    """Coverage of 95 % intervals when voters differ, and how often all true ranks lie in the rank sets at once."""
    yield from shares(WORLDS, one_log, worlds, seed)


def shares(
    kinds: Sequence[World], log_of: Callable[[World, np.random.Generator], dict[str, float]], worlds: int, seed: int
) -> Iterator[Row]:
    """Means with standard errors of the figures of `worlds` logs of each kind."""
    for world in kinds:
        outcomes = [log_of(world, np.random.default_rng([seed, number])) for number in range(worlds)]
        for name in outcomes[0]:
            yield mean_row(str(world), name, [outcome[name] for outcome in outcomes], logs=worlds)


def one_log(world: World, rng: np.random.Generator) -> dict[str, float]:
    """The share of models whose interval covers the truth on one log, by kind of interval."""
    strength = rng.permutation(np.linspace(-1.0, 1.0, MODELS))
    log, person = draw_outcomes(world, strength, rng)
    truth, counts = projection(strength, world.taste), pair_counts(log)
    fit = bradley_terry(counts)
    by_person = clustered(fit, ClusteredRows.of(log), counts)
    low, high = by_person.rank_sets(0)
    rank = MODELS - np.argsort(np.argsort(truth))
    place = truth - counts.battles.sum(axis=1) @ truth / counts.battles.sum()
    goal = 1000 + fit.unit * place
    results = {
        "independent": covered_share(fit.low, fit.high, goal),
        "1 day": covered_share(by_person.fit.low, by_person.fit.high, goal),
        "all true ranks in their sets": float(((low <= rank) & (rank <= high)).all()),
    }
    for days in (7, 30):
        day = rng.integers(0, days, VOTES).astype(np.int32)
        for name, bins in ((f"{days} days", day), (f"{days} days, clusters by week", day // 7)):
            robust = clustered(fit, ClusteredRows.of(replace(log, voter=person * np.int32(days) + bins)), counts).fit
            results[name] = covered_share(robust.low, robust.high, goal)
            if bins is day:
                half_width = measure_widening(replace(log, voter=person * np.int32(days) + bins), person) * (
                    robust.high - robust.rating
                )
                results[f"{days} days, widened by the ratio"] = covered_share(
                    robust.rating - half_width, robust.rating + half_width, goal
                )
    return results


def draw_outcomes(
    world: World, strength: NDArray[np.float64], rng: np.random.Generator
) -> tuple[Comparisons, NDArray[np.int32]]:
    """A log with uniform pairs whose `voter` is the person, and the column of persons."""
    if world.equal:
        voter = np.repeat(np.arange(world.voters), VOTES // world.voters)
    else:
        share = rng.pareto(STEEP, world.voters) + 1
        voter = np.repeat(np.arange(world.voters), rng.multinomial(VOTES, share / share.sum()))
    taste = strength + rng.normal(0, world.taste, (world.voters, MODELS))
    left = rng.integers(0, MODELS, VOTES)
    right = (left + rng.integers(1, MODELS, VOTES)) % MODELS
    chance = 1 / (1 + np.exp(taste[voter, right] - taste[voter, left]))
    outcome = (rng.random(VOTES) >= chance).astype(np.uint8)
    names = tuple(f"model-{number:02d}" for number in range(MODELS))
    first, second, person = (column.astype(np.int32) for column in (left, right, voter))
    return Comparisons(first, second, outcome, None, person, None, names), person


def projection(strength: NDArray[np.float64], taste: float) -> NDArray[np.float64]:
    """Strengths [m] in natural units that fit the mean chances over voters, whose taste differences are normal."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    gap = strength[:, None] - strength
    chance = (1 / (1 + np.exp(-(gap[..., None] + np.sqrt(2) * taste * nodes)))) @ (weights / weights.sum())
    np.fill_diagonal(chance, 0.0)
    zeros = np.zeros_like(chance)
    fit = bradley_terry(PairCounts(tuple(map(str, range(MODELS))), chance * 1e6, zeros, zeros))
    return fit.strength - fit.strength.mean()


def covered_share(low: NDArray[np.float64], high: NDArray[np.float64], truth: NDArray[np.float64]) -> float:
    """The share of intervals that cover the truth."""
    return float(((low <= truth) & (truth <= high)).mean())
