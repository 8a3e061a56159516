"""One leaderboard per category: topics, languages, or any other division of the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from arena_rating.board.fits import BoardFit
from arena_rating.board.parameters import METHOD, LeaderboardParameters
from arena_rating.categories.shrinkage import Pool
from arena_rating.clusters import ClusteredFit, ClusteredRows
from arena_rating.comparisons import Column, Comparisons, cells_of, read_only
from arena_rating.counts import PairCounts, fold, pair_counts
from arena_rating.errors import BadComparisons
from arena_rating.leaderboard import Leaderboard, compute_counted

MAX_FITS: Final = 1 << 28
"""Bytes of the matrices of fits that a pool keeps, so that hundreds of models are fitted once, and thousands again."""
_MATRICES: Final = 3
"""Matrices [m, m] of a fit: two covariances, and the sum over clusters."""


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

    The category without a name, of votes that belong to none, is left out. With the `pool_of` the categories, ratings
    and intervals of Bradley-Terry borrow from all votes. One pass counts all categories. Boards are yielded one by one,
    since each holds half a million pairs for a thousand competitors. A category without votes has an empty table. The
    anchor applies to categories where it has a battle.

    Raises:
        BadComparisons: The division and the log differ in length.
        RatingError: As in `compute`.
    """
    parameters = parameters or LeaderboardParameters()
    fits = _known_fits(pool, comparisons, parameters)
    for category, rows, counts in _parts(comparisons, division, fewest):
        fit = fits.get((division, category))
        yield category, compute_counted(rows, *counts, parameters, seed=seed, executor=executor, pool=pool, fit=fit)


@dataclass(frozen=True, slots=True, eq=False)
class FittedPool(Pool):
    """A pool with the fits of its categories, so that their boards need not fit again.

    Attributes:
        log: All votes.
        parameters: Those of the fits.
        fits: The first fits by division and category, up to `MAX_FITS`.
    """

    log: Comparisons
    parameters: LeaderboardParameters
    fits: Mapping[tuple[Division, str], BoardFit]


def pool_of(
    comparisons: Comparisons,
    divisions: Iterable[Division],
    parameters: LeaderboardParameters | None = None,
    *,
    fewest: int = 0,
) -> FittedPool | None:
    """The pool from which the categories of these divisions borrow; None by methods before `METHOD`, which do not.

    Categories have at least `fewest` votes and a name.

    Raises:
        BadComparisons: A division and the log differ in length.
        RatingError: As in `compute`.
    """
    parameters = parameters or LeaderboardParameters()
    if parameters.method != METHOD or not len(comparisons):
        return None
    fits: dict[tuple[Division, str], BoardFit] = {}
    room = MAX_FITS // (_MATRICES * 8 * max(len(comparisons.names), 1) ** 2)

    def categories() -> Iterator[ClusteredFit]:
        for division in divisions:
            for name, rows, counts in _parts(comparisons, division, fewest):
                fit = BoardFit.of(ClusteredRows.of(rows), counts[0], parameters)
                if len(fits) < room:
                    fits[division, name] = fit
                yield fit.robust

    whole = BoardFit.of(ClusteredRows.of(comparisons), pair_counts(comparisons), parameters)
    pool = Pool.of(whole.robust, categories())
    return FittedPool(pool.whole, pool.likelihood, pool.models, comparisons, parameters, fits)


def _known_fits(
    pool: Pool | None, log: Comparisons, parameters: LeaderboardParameters
) -> Mapping[tuple[Division, str], BoardFit]:
    """The fits of these votes by these parameters that a pool keeps."""
    if isinstance(pool, FittedPool) and pool.log is log and pool.parameters == parameters:
        return pool.fits
    return {}


def _parts(
    log: Comparisons, division: Division, fewest: int
) -> Iterator[tuple[str, Comparisons, tuple[PairCounts, PairCounts]]]:
    """Name, rows and counts of each category with a name and at least `fewest` votes."""
    if division.index.shape != log.left.shape:
        raise BadComparisons(f"the division has {len(division.index)} rows, not {len(log)}")
    for number, (name, counts) in enumerate(zip(division.categories, _tallies(log, division), strict=True)):
        if name and round(counts[1].battles.sum() / 2) >= fewest:
            yield name, log.where(division.index == number), counts


def _tallies(log: Comparisons, division: Division) -> Iterator[tuple[PairCounts, PairCounts]]:
    """Weighted and unweighted counts of each category."""
    from arena_rating._kernels.tally import tally_parts

    columns = log.left, log.right, log.outcome, log.frequency, division.index
    sums, votes = tally_parts(*columns, len(division.categories), len(log.names))
    for sums_of_category, votes_of_category in zip(votes if log.weight is None else sums, votes, strict=True):
        yield fold(log.names, sums_of_category), fold(log.names, votes_of_category)
