"""A long log in memory: pair counts, the methods that use them alone, Elo over orders, and categories."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import numpy as np
import typer

from arena.adapters.shared_log import share_log
from arena.domain.labels.categories import Category
from arena_rating import (
    Comparisons,
    Division,
    EloParameters,
    LeaderboardParameters,
    bradley_terry,
    compute_by_category,
    elo_over_orders,
    pair_counts,
    points_table,
    pool_of,
    warm,
    win_matrix,
)
from benchmarks.load.store import folder
from benchmarks.processes import measure_call, peak_mb
from benchmarks.results import Row

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from arena_rating import OrderAveragedElo, PairCounts, Pool

SEED: Final = 1
PIECE: Final = 1 << 20
_LANGUAGES: Final = ("en", "other", "zh")
_SPREAD: Final = 0.7
_TIED: Final = (0.16, 0.26)
"""Shares of votes that are ties, and ties of either kind."""


def measure(
    votes: Annotated[int, typer.Option(min=1_000, help="Size of the log.")] = 10_000_000,
    models: Annotated[int, typer.Option(min=3, max=20_000, help="Models of the log.")] = 1000,
    orders: Annotated[int, typer.Option(min=2, help="Random orders of Elo.")] = 20,
    dask: Annotated[
        list[int], typer.Option(min=1, max=64, help="Play them by so many dask workers too; repeatable.")
    ] = [],  # noqa: B006 - typer reads it
    categories: Annotated[
        bool, typer.Option("--categories", help="Make the boards of topics, of languages and of both too.")
    ] = False,
) -> Iterator[Row]:
    """Time the rating of a long log in memory, and compare the bits that a dask cluster gives."""
    warm()
    row, log = _time("columns made", lambda: synthetic(votes, models))
    yield row
    row, counts = _time("pairs counted", lambda: pair_counts(log))
    yield row
    yield _time("every method that needs only counts", lambda: _fit(counts))[0]
    parameters = EloParameters(orders=orders)
    row, own_result = _time(f"Elo over {orders} orders", lambda: elo_over_orders(log, parameters, seed=SEED))
    yield row
    for workers in dask:
        row, dask_result = _time(f"the same by dask, workers: {workers}", partial(_by_dask, log, parameters, workers))
        if not all(
            np.array_equal(getattr(dask_result, name), getattr(own_result, name)) for name in ("rating", "spread")
        ):
            raise AssertionError(f"{workers} workers of dask have other bits than one process")
        yield row
    if categories:
        yield from _categories(log, LeaderboardParameters(parameters))


def _categories(log: Comparisons, parameters: LeaderboardParameters) -> Iterator[Row]:
    """Time the boards of topics, of languages and of both, which belong to a snapshot."""
    rng, topics = np.random.default_rng(SEED), tuple(Category)
    topic = rng.integers(0, len(topics), len(log), np.uint8)
    language = rng.integers(0, len(_LANGUAGES), len(log), np.uint8)
    names = tuple(f"{one}\t{language_name}" for one in topics for language_name in _LANGUAGES)
    divisions: dict[str, Callable[[], Division]] = {
        "topics": lambda: Division(topics, topic.astype(np.int32)),
        "languages": lambda: Division(_LANGUAGES, language.astype(np.int32)),
        "both": lambda: Division(names, topic.astype(np.int32) * len(_LANGUAGES) + language),
    }
    for name, make in divisions.items():
        division = make()
        row, pool = _time(f"pool of {name}", partial(pool_of, log, [division], parameters))
        yield row
        row, boards = _time(f"boards of {name}", partial(_boards, log, division, parameters, pool))
        yield replace(row, note=f"{boards}, each over {parameters.elo.orders} orders")


def _boards(log: Comparisons, division: Division, parameters: LeaderboardParameters, pool: Pool | None) -> int:
    """The number of boards with rows; one board is in memory at a time."""
    boards = compute_by_category(log, division, parameters, seed=SEED, pool=pool)
    return sum(bool(board.rows) for _, board in boards)


def synthetic(votes: int, models: int) -> Comparisons:
    """Draw a log in blocks, so that memory holds little more than its columns of 9 bytes per vote.

    Strengths are normal; model number i is drawn in proportion to 1 / i.
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
) -> tuple[NDArray[np.generic], ...]:
    last = len(strength) - 1
    left, right = (np.minimum(np.searchsorted(edges, rng.random(votes)), last) for _ in range(2))
    right = np.where(left == right, (left + 1) % len(strength), right)
    draw, chance = rng.random(votes), 1 / (1 + np.exp(strength[right] - strength[left]))
    outcome_of_win = np.where(rng.random(votes) < chance, 0, 1)
    tie, either = _TIED
    return left, right, np.where(draw < tie, 2, np.where(draw < either, 3, outcome_of_win))


def _fit(counts: PairCounts) -> None:
    bradley_terry(counts)
    points_table(counts)
    win_matrix(counts)


def _by_dask(log: Comparisons, parameters: EloParameters, workers: int) -> OrderAveragedElo:
    """Play the orders on a new cluster of processes of this machine."""
    distributed: Any = importlib.import_module("distributed")  # an optional package without types
    with (
        folder() as place,
        distributed.LocalCluster(workers, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
        distributed.Client(cluster) as client,
    ):
        share = partial(share_log, place)
        return elo_over_orders(log, parameters, seed=SEED, executor=client.get_executor(), share=share)


def _time(name: str, work: Callable[[], Any]) -> tuple[Row, Any]:
    """The row of a step, with the peak memory of this process so far, and the step's result."""
    result, wall, cpu = measure_call(work)
    return Row("in memory", name, wall, "s", figures={"cpu_s": cpu, "memory_mb": peak_mb()}), result
