"""One leaderboard per category: topics, languages, or any other division of the log."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from arena_rating.comparisons import Column, Comparisons, cells_of, read_only
from arena_rating.counts import PairCounts, fold
from arena_rating.errors import BadComparisons
from arena_rating.leaderboard import Leaderboard, LeaderboardParameters, compute_counted


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
) -> Iterator[tuple[str, Leaderboard]]:
    """Yield the board of each category with at least `fewest` votes: what `compute` gives for its votes alone.

    One pass counts all categories. Boards are yielded one by one, since each holds half a million pairs for a thousand
    competitors. A category without votes has an empty table. The anchor applies to categories where it has a battle.

    Raises:
        BadComparisons: The division and the log differ in length.
        RatingError: As in `compute`.
    """
    if division.index.shape != comparisons.left.shape:
        raise BadComparisons(f"the division has {len(division.index)} rows, not {len(comparisons)}")
    parameters, tallies = parameters or LeaderboardParameters(), _tallies(comparisons, division)
    for number, (category, counts) in enumerate(zip(division.categories, tallies, strict=True)):
        if round(counts[1].battles.sum() / 2) >= fewest:
            rows = comparisons.where(division.index == number)
            yield category, compute_counted(rows, *counts, parameters, seed=seed, executor=executor)


def _tallies(log: Comparisons, division: Division) -> Iterator[tuple[PairCounts, PairCounts]]:
    """Weighted and unweighted counts of each category."""
    from arena_rating._kernels.tally import tally_parts

    columns = log.left, log.right, log.outcome, log.frequency, division.index
    sums, votes = tally_parts(*columns, len(division.categories), len(log.names))
    for sums_of_category, votes_of_category in zip(votes if log.weight is None else sums, votes, strict=True):
        yield fold(log.names, sums_of_category), fold(log.names, votes_of_category)
