"""A long log in the memory of one machine: counts, methods that need only them, Elo over orders, and categories."""

from __future__ import annotations

import importlib
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arena.domain.labels.categories import Category
from arena_rating import (
    Comparisons,
    Division,
    EloParameters,
    LeaderboardParameters,
    bradley_terry,
    each_divided,
    elo_over_orders,
    pair_counts,
    points_table,
    warm,
    win_matrix,
)
from benchmarks.jobs import peak_mb

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from arena_rating import OrderAveragedElo, PairCounts

SEED: Final = 1
PIECE: Final = 1 << 20
_LANGUAGES: Final = ("en", "other", "zh")
_SPREAD: Final = 0.7
_TIED: Final = (0.16, 0.26)
"""Shares of votes that are ties, and ties of either kind."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Votes, models, orders of Elo, the numbers of dask workers that play them once more, and boards of categories."""

    votes: int = 10_000_000
    models: int = 1000
    orders: int = 20
    dask: Sequence[int] = ()
    categories: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One step: wall time, processor time of this process, and the most memory it has had until then, in MB."""

    what: str
    seconds: float
    processor: float
    memory: float

    def record(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return asdict(self)

    def __str__(self) -> str:
        times = f"{self.seconds:8.2f} s, {self.processor:8.2f} s of processor"
        return f"{self.what:<40} {times}, at most {self.memory:7,.0f} MB"


def measure(plan: Plan) -> Iterator[Row]:
    """Time each step on a log made for it.

    Raises:
        AssertionError: A cluster has other bits than this process.
    """
    warm()
    row, log = _timed("columns made", lambda: synthetic(plan.votes, plan.models))
    yield row
    row, counts = _timed("pairs counted", lambda: pair_counts(log))
    yield row
    yield _timed("every method that needs only counts", lambda: _fit(counts))[0]
    parameters = EloParameters(orders=plan.orders)
    row, alone = _timed(f"Elo over {plan.orders} orders", lambda: elo_over_orders(log, parameters, seed=SEED))
    yield row
    for workers in plan.dask:
        row, found = _timed(f"the same by dask, workers: {workers}", lambda: _by_dask(log, parameters, workers))  # noqa: B023 - called at once
        if not all(np.array_equal(getattr(found, name), getattr(alone, name)) for name in ("rating", "spread")):
            raise AssertionError(f"{workers} workers of dask have other bits than one process")
        yield row
    if plan.categories:
        yield from _categories(log, LeaderboardParameters(parameters))


def _categories(log: Comparisons, parameters: LeaderboardParameters) -> Iterator[Row]:
    """Time the boards of topics, of languages and of both, which a snapshot has beside the whole board."""
    rng, topics = np.random.default_rng(SEED), tuple(Category)
    topic = rng.integers(0, len(topics), len(log), np.uint8)
    language = rng.integers(0, len(_LANGUAGES), len(log), np.uint8)
    both = tuple(f"{one}\t{other}" for one in topics for other in _LANGUAGES)
    divisions: dict[str, Callable[[], Division]] = {
        "topics": lambda: Division(topics, topic.astype(np.int32)),
        "languages": lambda: Division(_LANGUAGES, language.astype(np.int32)),
        "both": lambda: Division(both, topic.astype(np.int32) * len(_LANGUAGES) + language),
    }
    for name, division in divisions.items():
        row, boards = _timed(f"boards of {name}", lambda: _boards(log, division(), parameters))  # noqa: B023 - called at once
        yield replace(row, what=f"{row.what}: {boards}, each over {parameters.elo.orders} orders")


def _boards(log: Comparisons, division: Division, parameters: LeaderboardParameters) -> int:
    """The number of boards with rows; each is dropped before the next one is made."""
    return sum(bool(board.rows) for _, board in each_divided(log, division, parameters, seed=SEED))


def synthetic(votes: int, models: int) -> Comparisons:
    """Draw a log a piece at a time, so that no more is held than its columns, 9 bytes a vote.

    Strengths are normal, and models that were there first have met more often (1 / place).
    """
    rng = np.random.default_rng(SEED)
    strength, share = rng.normal(0, _SPREAD, models), 1 / np.arange(1, models + 1)
    edges = np.cumsum(share / share.sum())
    left, right, outcome = np.empty(votes, np.int32), np.empty(votes, np.int32), np.empty(votes, np.uint8)
    for start in range(0, votes, PIECE):
        part = slice(start, min(start + PIECE, votes))
        left[part], right[part], outcome[part] = _piece(rng, strength, edges, part.stop - start)
    return Comparisons(left, right, outcome, None, None, None, tuple(f"model-{number}" for number in range(models)))


def _piece(
    rng: np.random.Generator, strength: NDArray[np.float64], edges: NDArray[np.float64], votes: int
) -> tuple[NDArray[Any], ...]:
    last = len(strength) - 1
    left, right = (np.minimum(np.searchsorted(edges, rng.random(votes)), last) for _ in range(2))
    right = np.where(left == right, (left + 1) % len(strength), right)
    drawn, chance = rng.random(votes), 1 / (1 + np.exp(strength[right] - strength[left]))
    won = np.where(rng.random(votes) < chance, 0, 1)
    tie, either = _TIED
    return left, right, np.where(drawn < tie, 2, np.where(drawn < either, 3, won))


def _fit(counts: PairCounts) -> None:
    bradley_terry(counts)
    points_table(counts)
    win_matrix(counts)


def _by_dask(log: Comparisons, parameters: EloParameters, workers: int) -> OrderAveragedElo:
    """Play the orders on a cluster of processes of this machine, which is started for it."""
    distributed: Any = importlib.import_module("distributed")  # an optional package without types
    with (
        tempfile.TemporaryDirectory() as folder,
        distributed.LocalCluster(workers, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
        distributed.Client(cluster) as client,
    ):
        return elo_over_orders(log, parameters, seed=SEED, executor=client.get_executor(), folder=Path(folder))


def _timed(what: str, work: Callable[[], Any]) -> tuple[Row, Any]:
    wall, spent = time.perf_counter(), time.process_time()
    found = work()
    took = time.perf_counter() - wall, time.process_time() - spent
    return Row(what, *took, peak_mb()), found
