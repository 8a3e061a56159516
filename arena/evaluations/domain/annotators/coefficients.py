"""Agreement of people beyond chance: Cohen, Fleiss, Krippendorff and Gwet, each with a 95 % interval.

Each coefficient is a function of sums over items, so its standard error comes from the delete-a-group jackknife: items
are dealt to groups, and the coefficient is computed without each group in turn (Wolter, Introduction to Variance
Estimation, chapter 4), in two passes and without random numbers. A coefficient is 1 for perfect and 0 for chance
agreement, nan where chance agreement is 1; its ends are nan below two items, and where leaving items out changes
nothing, as with perfect agreement, since then nothing tells the error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.statistics.proportions import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

GROUPS: Final = 200
"""Groups of the jackknife; with fewer items each is a group."""
_NORMAL: Final = 1.96
_LEAST_ERROR: Final = 1e-12


def cohen(first: NDArray[np.int64], second: NDArray[np.int64], labels: int) -> Estimate:
    """Cohen's kappa (1960) of two people's labels [items] from 0, or -1 for items without an answer."""
    is_complete = (first >= 0) & (second >= 0)
    cells = np.eye(labels * labels)[first[is_complete] * labels + second[is_complete]]

    def value(sums: Matrix) -> float:
        table = sums.reshape(labels, labels) / max(sums.sum(), 1)
        return _correct_for_chance(float(np.trace(table)), float(table.sum(axis=0) @ table.sum(axis=1)))

    return _estimate(cells, value)


def fleiss(counts: NDArray[np.int64]) -> Estimate:
    """Fleiss' kappa (1971) of the number of answers [items, labels], which may differ by item (Gwet's extension)."""

    def value(sums: Matrix) -> float:
        share = sums[3:] / max(sums[2], 1)
        return _correct_for_chance(sums[0] / max(sums[1], 1), float(share @ share))

    return _estimate(_agreement_rows(counts), value)


def gwet(counts: NDArray[np.int64]) -> Estimate:
    """Gwet's AC1 (2008) of the number of answers [items, labels], which stays high if one label is very frequent.

    Labels without an answer do not count as categories.
    """
    counts = counts[:, counts.any(axis=0)]

    def value(sums: Matrix) -> float:
        share = sums[3:] / max(sums[2], 1)
        return _correct_for_chance(sums[0] / max(sums[1], 1), float(share @ (1 - share)) / max(len(share) - 1, 1))

    return _estimate(_agreement_rows(counts), value)


def krippendorff(counts: NDArray[np.int64], *, ordinal: bool = False) -> Estimate:
    """Krippendorff's alpha (2011) of the number of answers [items, labels]; `ordinal` if the labels are ordered."""
    rows = counts[counts.sum(axis=1) > 1].astype(np.float64)
    shares = rows / (rows.sum(axis=1, keepdims=True) - 1)
    groups = min(GROUPS, len(rows))
    parts = [(shares[group::groups], rows[group::groups]) for group in range(groups)]
    pairs = np.array([share.T @ entry - np.diag(share.sum(axis=0)) for share, entry in parts])

    def value(sums: Matrix) -> float:
        table = sums.reshape(counts.shape[1], -1)
        margin = table.sum(axis=0)
        distance = _rank_distances(margin) if ordinal else 1 - np.eye(len(margin))
        by_chance = float(margin @ distance @ margin)
        return 1 - (margin.sum() - 1) * float((table * distance).sum()) / by_chance if by_chance > 0 else np.nan

    return _jackknife(pairs.reshape(groups, counts.shape[1] ** 2), len(rows), value)


def _agreement_rows(counts: NDArray[np.int64]) -> Matrix:
    """A row for each item with answers: share of agreeing pairs, whether it has pairs, 1, shares of labels."""
    rows = counts[counts.sum(axis=1) > 0].astype(np.float64)
    number = rows.sum(axis=1)
    has_pairs = number > 1
    pairs = np.where(has_pairs, number * (number - 1), 1)
    agreement = (rows * (rows - 1)).sum(axis=1) / pairs
    return np.column_stack([agreement * has_pairs, has_pairs, np.ones(len(rows)), rows / number[:, None]])


def _rank_distances(margin: Matrix) -> Matrix:
    """Squared number of answers between two ranks, with half of those at either end [labels, labels]."""
    middle = np.cumsum(margin) - margin / 2
    return (middle[:, None] - middle[None, :]) ** 2


def _correct_for_chance(agreement: float, by_chance: float) -> float:
    return (agreement - by_chance) / (1 - by_chance) if by_chance < 1 else np.nan


def _estimate(rows: Matrix, value: Callable[[Matrix], float]) -> Estimate:
    groups = min(GROUPS, len(rows))
    end = len(rows) - len(rows) % max(1, groups)
    sums = rows[:end].reshape(-1, groups, rows.shape[1]).sum(axis=0) if groups else rows
    sums[: len(rows) - end] += rows[end:]
    return _jackknife(sums, len(rows), value)


def _jackknife(sums: Matrix, items: int, value: Callable[[Matrix], float]) -> Estimate:
    """The coefficient of the sums over groups of items, [groups, k]."""
    groups, total = len(sums), sums.sum(axis=0)
    result = value(total) if groups else np.nan
    if groups < 2:  # no variance
        return Estimate(result, np.nan, np.nan, items)
    estimates = np.array([value(total - entry) for entry in sums])
    error = _NORMAL * np.sqrt((groups - 1) * estimates.var())
    low, high = (max(-1.0, result - error), min(1.0, result + error)) if error > _LEAST_ERROR else (np.nan, np.nan)
    return Estimate(float(result), float(low), float(high), items)
