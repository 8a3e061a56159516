"""Leaderboards of the whole log and of each category: topics, languages, or any other division of the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import islice
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from arena_rating.comparisons import Column, Comparisons, HasToNumpy, read_only
from arena_rating.counts import PairCounts, folded
from arena_rating.errors import BadComparisons, BadParameters
from arena_rating.leaderboard import Leaderboard, LeaderboardParameters, compute_counted


@dataclass(frozen=True, slots=True, eq=False)
class Division:
    """The category of each of n comparisons; exactly one each.

    Attributes:
        categories: The names; some may have no comparison.
        index: int [n], index in `categories`.
    """

    categories: tuple[str, ...]
    index: NDArray[np.int32]

    def __post_init__(self) -> None:
        if not np.issubdtype(self.index.dtype, np.integer):
            raise BadComparisons(f"the index of categories is a column of {self.index.dtype}, not of integers")
        known = (self.index >= 0) & (self.index < len(self.categories))
        if len(set(self.categories)) < len(self.categories):
            raise BadComparisons("two categories have the same name")
        if not known.all():
            row = int(known.argmin())
            raise BadComparisons(f"row {row}: category {self.index[row]} is not in 0 to {len(self.categories) - 1}")
        object.__setattr__(self, "index", read_only(self.index.astype(np.int32, copy=False)))

    @classmethod
    def of(cls, column: Column) -> Self:
        """Divide by the text of a column's cells; the categories are sorted."""
        cells = cast("HasToNumpy", column).to_numpy() if hasattr(column, "to_numpy") else cast("Iterable[Any]", column)
        texts = [str(cell) for cell in cells]
        names = tuple(sorted(set(texts)))
        numbers = {name: number for number, name in enumerate(names)}
        return cls(names, np.fromiter(map(numbers.__getitem__, texts), np.int32, count=len(texts)))


@dataclass(frozen=True, slots=True)
class CategoryLeaderboards:
    """Leaderboards of one log.

    Attributes:
        everything: All comparisons, as returned by `compute`.
        divided: By division and category, each as `compute` returns it for its comparisons alone. A category without
            a comparison has an empty table.
    """

    everything: Leaderboard
    divided: Mapping[str, Mapping[str, Leaderboard]]


def compute_by_category(
    comparisons: Comparisons,
    parameters: LeaderboardParameters | None = None,
    *,
    seed: int,
    by: Mapping[str, Division | Column] | None = None,
    executor: Executor | None = None,
) -> CategoryLeaderboards:
    """Rate the whole log and every category of every division, with one counting pass per division.

    `by` names columns of n cells, as in `{"topic": topics, "language": languages}`; without it the log's own
    categories are the only division, called "category". An anchor applies in the categories where it has a battle.

    Raises:
        BadComparisons: A column of another length.
        BadParameters: The log has no categories and `by` names none.
        RatingError: As in `compute`.
    """
    parameters, divisions = parameters or LeaderboardParameters(), _divisions(comparisons, by)
    boards: dict[str, dict[str, Leaderboard]] = {}
    everything: Leaderboard | None = None
    for name, division in divisions.items():
        *parts, whole = _tallies(comparisons, division)
        everything = everything or compute_counted(comparisons, *whole, parameters, seed=seed, executor=executor)
        boards[name] = dict(_boards(comparisons, division, parts, parameters, seed=seed, executor=executor))
    if everything is None:
        raise BadParameters("the log has no categories and `by` names none")
    return CategoryLeaderboards(everything, boards)


def compute_divided(
    comparisons: Comparisons,
    division: Division,
    parameters: LeaderboardParameters | None = None,
    *,
    seed: int,
    fewest: int = 0,
    executor: Executor | None = None,
) -> dict[str, Leaderboard]:
    """Rate only the categories of one division that have at least `fewest` votes, with one counting pass.

    Raises:
        BadComparisons: The division has another length.
        RatingError: As in `compute`.
    """
    return dict(each_divided(comparisons, division, parameters, seed=seed, fewest=fewest, executor=executor))


def each_divided(
    comparisons: Comparisons,
    division: Division,
    parameters: LeaderboardParameters | None = None,
    *,
    seed: int,
    fewest: int = 0,
    executor: Executor | None = None,
) -> Iterator[tuple[str, Leaderboard]]:
    """`compute_divided` one board after the other: a thousand competitors have half a million pairs on each."""
    parameters = parameters or LeaderboardParameters()
    _divisions(comparisons, {"the division": division})
    parts = islice(_tallies(comparisons, division), len(division.categories))
    yield from _boards(comparisons, division, parts, parameters, seed=seed, fewest=fewest, executor=executor)


def _boards(
    log: Comparisons,
    division: Division,
    parts: Iterable[tuple[PairCounts, PairCounts]],
    parameters: LeaderboardParameters,
    *,
    seed: int,
    fewest: int = 0,
    executor: Executor | None,
) -> Iterator[tuple[str, Leaderboard]]:
    for number, (category, tallies) in enumerate(zip(division.categories, parts, strict=True)):
        if round(tallies[1].battles.sum() / 2) >= fewest:
            rows = log.where(division.index == number)
            yield category, compute_counted(rows, *tallies, parameters, seed=seed, executor=executor)


def _divisions(log: Comparisons, by: Mapping[str, Division | Column] | None) -> dict[str, Division]:
    if by is None:
        return {} if log.category is None else {"category": Division(log.categories, log.category)}
    divisions = {name: column if isinstance(column, Division) else Division.of(column) for name, column in by.items()}
    for name, division in divisions.items():
        if division.index.shape != log.left.shape:
            raise BadComparisons(f"{name} is a column of {len(division.index)} rows, not of {len(log)}")
    return divisions


def _tallies(log: Comparisons, division: Division) -> Iterator[tuple[PairCounts, PairCounts]]:
    """Weighted and unweighted counts of each category, and of the whole log at the end."""
    from arena_rating._kernels.tally import tally_parts  # noqa: PLC0415 - numba loads at the first use

    columns = log.left, log.right, log.outcome, log.frequency, division.index
    sums, votes = tally_parts(*columns, len(division.categories), len(log.names))
    for weighted, counted in zip(votes if log.weight is None else sums, votes, strict=True):
        yield folded(log.names, weighted), folded(log.names, counted)
