"""Agreement of people beyond chance: Cohen, Fleiss, Krippendorff and Gwet, each with a 95 % interval.

Each coefficient is a function of sums over items. So its standard error comes from the delete-a-group jackknife: items
are dealt to groups, and the coefficient is computed without each group in turn (Wolter, Introduction to Variance
Estimation, chapter 4). It needs no random numbers, and a million items cost no more than two passes. A coefficient is 1
for agreement and 0 for chance, nan where chance alone would agree everywhere; its ends are nan below two items.
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
"""Groups of the jackknife; fewer items are a group each."""
_NORMAL: Final = 1.96


def cohen(first: NDArray[np.int64], second: NDArray[np.int64], labels: int) -> Estimate:
    """Cohen's kappa (1960) of two people's labels [items] from 0; items that one of them left out are -1."""
    is_complete = (first >= 0) & (second >= 0)
    cells = np.eye(labels * labels)[first[is_complete] * labels + second[is_complete]]

    def value(sums: Matrix) -> float:
        table = sums.reshape(labels, labels) / max(sums.sum(), 1)
        return _correct_for_chance(float(np.trace(table)), float(table.sum(axis=0) @ table.sum(axis=1)))

    return _estimate(cells, value)


def fleiss(counts: NDArray[np.int64]) -> Estimate:
    """Fleiss' kappa (1971) of the number of answers [items, labels]; where these differ by item, Gwet's extension."""

    def value(sums: Matrix) -> float:
        share = sums[3:] / max(sums[2], 1)
        return _correct_for_chance(sums[0] / max(sums[1], 1), float(share @ share))

    return _estimate(_agreement_rows(counts), value)


def gwet(counts: NDArray[np.int64]) -> Estimate:
    """Gwet's AC1 (2008) of the number of answers [items, labels], which one frequent label does not push to 0.

    Labels that nobody gave are no categories here: a fourth label on offer changes nothing until somebody uses it.
    """
    counts = counts[:, counts.any(axis=0)]

    def value(sums: Matrix) -> float:
        share = sums[3:] / max(sums[2], 1)
        return _correct_for_chance(sums[0] / max(sums[1], 1), float(share @ (1 - share)) / max(len(share) - 1, 1))

    return _estimate(_agreement_rows(counts), value)


def krippendorff(counts: NDArray[np.int64], *, ordinal: bool = False) -> Estimate:
    """Krippendorff's alpha (2011) of the number of answers [items, labels]; `ordinal` if labels have their order."""
    rows = counts[counts.sum(axis=1) > 1].astype(np.float64)
    shares = rows / (rows.sum(axis=1, keepdims=True) - 1)
    groups = min(GROUPS, len(rows))
    parts = [(shares[group::groups], rows[group::groups]) for group in range(groups)]
    pairs = np.array([share.T @ entry - np.diag(share.sum(axis=0)) for share, entry in parts])

    def value(sums: Matrix) -> float:
        table = sums.reshape(counts.shape[1], -1)
        margin = table.sum(axis=0)
        distance = _ranks_apart(margin) if ordinal else 1 - np.eye(len(margin))
        by_chance = float(margin @ distance @ margin)
        return 1 - (margin.sum() - 1) * float((table * distance).sum()) / by_chance if by_chance > 0 else np.nan

    return _jackknife(pairs.reshape(groups, counts.shape[1] ** 2), len(rows), value)


def _agreement_rows(counts: NDArray[np.int64]) -> Matrix:
    """Rows of items that somebody answered: share of agreeing pairs, whether there are pairs, 1, shares of labels."""
    rows = counts[counts.sum(axis=1) > 0].astype(np.float64)
    number = rows.sum(axis=1)
    has_pairs = number > 1
    pairs = np.where(has_pairs, number * (number - 1), 1)
    agreement = (rows * (rows - 1)).sum(axis=1) / pairs
    return np.column_stack([agreement * has_pairs, has_pairs, np.ones(len(rows)), rows / number[:, None]])


def _ranks_apart(margin: Matrix) -> Matrix:
    """Squared number of answers between two ranks, half of those at either end included."""
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
    if groups < 2:  # a variance needs two
        return Estimate(result, np.nan, np.nan, items)
    estimates = np.array([value(total - entry) for entry in sums])
    error = _NORMAL * np.sqrt((groups - 1) * estimates.var())
    return Estimate(float(result), float(result - error), float(result + error), items)
