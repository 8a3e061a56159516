"""Jobs of the arena's rating library; run as a module with the folder of the log."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import arena_rating as rating
from arena_rating.research import BootstrapParameters, bootstrap_bradley_terry
from benchmarks import data
from benchmarks.jobs import Job, answer


def jobs(log: data.Data) -> Mapping[str, Job]:
    """The jobs by name; each does all work from the columns."""

    @lru_cache(maxsize=4)
    def first(votes: int) -> rating.Comparisons:
        part, names = log.head(votes), tuple(f"c{number}" for number in range(data.COMPETITORS))
        return rating.Comparisons(part.left, part.right, part.outcome, None, None, None, names)

    @lru_cache(maxsize=4)
    def count(votes: int) -> rating.PairCounts:
        return rating.pair_counts(first(votes))

    def elo(votes: int, orders: int) -> object:
        return rating.elo_over_orders(first(votes), rating.EloParameters(orders=orders), seed=1)

    def elo_on_one_core(votes: int, orders: int) -> object:
        with ThreadPoolExecutor(1) as one:
            return rating.elo_over_orders(first(votes), rating.EloParameters(orders=orders), seed=1, executor=one)

    def bradley_terry(votes: int, _: int) -> object:
        return rating.bradley_terry(rating.pair_counts(first(votes)))

    def bradley_terry_counted(votes: int, _: int) -> object:
        return rating.bradley_terry(count(votes))

    def bootstrap(votes: int, rounds: int) -> object:
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            parameters = BootstrapParameters(rounds=rounds)
            return bootstrap_bradley_terry(first(votes), parameters, seed=1, executor=threads)

    def style(votes: int, _: int) -> object:
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return rating.style_bradley_terry(first(votes), log.features[:votes], executor=threads)

    def tables(votes: int, _: int) -> object:
        counts = rating.pair_counts(first(votes))
        return rating.points_table(counts), rating.win_rate(counts), rating.win_matrix(counts)

    return {
        "load": lambda votes, _: first(votes),
        "elo": elo,
        "elo on one core": elo_on_one_core,
        "bradley_terry": bradley_terry,
        "bradley_terry counted": bradley_terry_counted,
        "bootstrap": bootstrap,
        "style": style,
        "tables": tables,
    }


if __name__ == "__main__":
    answer(jobs(data.read(Path(sys.argv[1]))))
