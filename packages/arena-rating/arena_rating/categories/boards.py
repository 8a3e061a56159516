"""One leaderboard per category: topics, languages, or any other division of the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np
from numpy.typing import NDArray

from arena_rating.categories.shrinkage import Pool
from arena_rating.clusters import ClusteredFit, ClusteredRows
from arena_rating.comparisons import Column, Comparisons, cells_of, read_only
from arena_rating.counts import PairCounts, fold, pair_counts
from arena_rating.errors import BadComparisons
from arena_rating.leaderboard import (
    METHOD,
    Leaderboard,
    LeaderboardParameters,
    board_fit,
    compute_counted,
    with_clusters,
)


@dataclass(frozen=True, slots=True, eq=False)
class Division:
    """Exactly one category for each of n comparisons.

    Attributes:
        categories: The names; some may have no comparison.
        index: int [n], index in `categories`.
    """

    categories: tuple[str, ...]
    index: NDArray[np.int32]

    def __post_init__(self) -> None:
        if not np.issubdtype(self.index.dtype, np.integer):
            raise BadComparisons(f"the index of categories is a column of {self.index.dtype}, not of integers")
        in_range = (self.index >= 0) & (self.index < len(self.categories))
        if len(set(self.categories)) < len(self.categories):
            raise BadComparisons("two categories have the same name")
        if not in_range.all():
            row = int(in_range.argmin())
            raise BadComparisons(f"row {row}: category {self.index[row]} is not in 0 to {len(self.categories) - 1}")
        object.__setattr__(self, "index", read_only(self.index.astype(np.int32, copy=False)))

    @classmethod
    def of(cls, column: Column) -> Self:
        """Division by the text of a column's cells; the categories are sorted."""
        texts = [str(cell) for cell in cells_of(column)]
        names = tuple(sorted(set(texts)))
        numbers = {name: number for number, name in enumerate(names)}
        return cls(names, np.fromiter(map(numbers.__getitem__, texts), np.int32, count=len(texts)))


def compute_by_category(
    comparisons: Comparisons,
    division: Division,
    parameters: LeaderboardParameters | None = None,
    *,
    seed: int,
    fewest: int = 0,
    executor: Executor | None = None,
    pool: Pool | None = None,
) -> Iterator[tuple[str, Leaderboard]]:
    """Yield the board of each category with at least `fewest` votes: what `compute` gives for its votes alone.

    With the `pool_of` the categories, ratings and intervals of Bradley-Terry borrow from all votes. One pass counts all
    categories. Boards are yielded one by one, since each holds half a million pairs for a thousand competitors. A
    category without votes has an empty table. The anchor applies to categories where it has a battle.

    Raises:
        BadComparisons: The division and the log differ in length.
        RatingError: As in `compute`.
    """
    parameters = parameters or LeaderboardParameters()
    for category, rows, counts in _parts(comparisons, division, fewest):
        yield category, compute_counted(rows, *counts, parameters, seed=seed, executor=executor, pool=pool)


def pool_of(
    comparisons: Comparisons,
    divisions: Iterable[Division],
    parameters: LeaderboardParameters | None = None,
    *,
    fewest: int = 0,
) -> Pool | None:
    """The pool from which the categories of these divisions borrow; None by methods before `METHOD`, which do not.

    Categories have at least `fewest` votes; the one without a name, of votes that belong to none, is left out.

    Raises:
        BadComparisons: A division and the log differ in length.
        RatingError: As in `compute`.
    """
    parameters = parameters or LeaderboardParameters()
    if parameters.method != METHOD or not len(comparisons):
        return None
    fit = partial(_fit, parameters=parameters)
    parts = (part for division in divisions for part in _parts(comparisons, division, fewest))
    return Pool.of(
        fit(comparisons, pair_counts(comparisons)), (fit(rows, counts[0]) for name, rows, counts in parts if name)
    )


def _fit(log: Comparisons, weighted: PairCounts, parameters: LeaderboardParameters) -> ClusteredFit:
    return with_clusters(board_fit(weighted, parameters), ClusteredRows.of(log), weighted, parameters)


def _parts(
    log: Comparisons, division: Division, fewest: int
) -> Iterator[tuple[str, Comparisons, tuple[PairCounts, PairCounts]]]:
    """Name, rows and counts of each category with at least `fewest` votes."""
    if division.index.shape != log.left.shape:
        raise BadComparisons(f"the division has {len(division.index)} rows, not {len(log)}")
    for number, (name, counts) in enumerate(zip(division.categories, _tallies(log, division), strict=True)):
        if round(counts[1].battles.sum() / 2) >= fewest:
            yield name, log.where(division.index == number), counts


def _tallies(log: Comparisons, division: Division) -> Iterator[tuple[PairCounts, PairCounts]]:
    """Weighted and unweighted counts of each category."""
    from arena_rating._kernels.tally import tally_parts

    columns = log.left, log.right, log.outcome, log.frequency, division.index
    sums, votes = tally_parts(*columns, len(division.categories), len(log.names))
    for sums_of_category, votes_of_category in zip(votes if log.weight is None else sums, votes, strict=True):
        yield fold(log.names, sums_of_category), fold(log.names, votes_of_category)
