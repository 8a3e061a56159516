"""Columns and a log that are only appended to, with the counts of its pairs."""

from __future__ import annotations

from typing import Final, Generic

import numpy as np
from numpy.typing import NDArray

from arena_rating.comparisons import OUTCOMES, Comparisons, S, read_only
from arena_rating.counts import outcome_counts
from arena_rating.errors import BadComparisons

_COLUMNS: Final = ("left", "right", "outcome")


class GrowingColumn(Generic[S]):
    """A column with room behind its end: an append copies what it adds, and seldom what was there.

    Earlier `values` keep their length and their content.
    """

    __slots__ = ("_room", "_size")

    def __init__(self, values: NDArray[S]) -> None:
        """Begin with these values, which are not copied before the first append."""
        self._room, self._size = values, len(values)

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> NDArray[S]:
        """All values so far: a view [n, …]."""
        return self._room[: self._size]

    def append(self, values: NDArray[S]) -> None:
        """Append values of the same shape and type."""
        end = self._size + len(values)
        if end > len(self._room):
            # Room that is not used takes no memory: the system gives a page when it is written to.
            room = np.empty((max(end, 2 * self._size), *self._room.shape[1:]), self._room.dtype)
            room[: self._size] = self.values
            self._room = room
        if len(values):
            self._room[self._size : end] = values
        self._size = end


class GrowingNumbers:
    """Numbers from 0 for labels of 64 bits, in 12 bytes each; a label keeps the number that it was first given."""

    __slots__ = ("_labels", "_numbers")

    def __init__(self) -> None:
        """Begin without labels; they are kept sorted."""
        self._labels, self._numbers = np.empty(0, np.int64), np.empty(0, np.int32)

    def of(self, labels: NDArray[np.int64]) -> NDArray[np.int32]:
        """The number of each of the labels, int32 [n]."""
        distinct, inverse = np.unique(labels, return_inverse=True)
        place = np.searchsorted(self._labels, distinct)
        is_new = np.append(self._labels, 0)[place] != distinct
        is_new |= place == len(self._labels)
        numbers = np.arange(len(self._labels), len(self._labels) + int(is_new.sum()), dtype=np.int32)
        self._numbers = np.insert(self._numbers, place[is_new], numbers)
        self._labels = np.insert(self._labels, place[is_new], distinct[is_new])
        return self._numbers[np.searchsorted(self._labels, distinct)][inverse]


class GrowingLog:
    """Comparisons to which others are appended: the work is that of the appended rows, the bits those of all at once.

    Values of `comparisons` from before an append stay as they were.
    """

    def __init__(self, first: Comparisons) -> None:
        """Begin with these rows, which are counted once.

        Raises:
            BadComparisons: The rows have categories, which a growing log does not.
        """
        _refuse_more(first)
        self._columns = {name: GrowingColumn(getattr(first, name)) for name in _COLUMNS}
        self._weight = None if first.weight is None else GrowingColumn(first.weight)
        self._voter = None if first.voter is None else GrowingColumn(first.voter)
        counts = outcome_counts(first)
        tables = {True: counts, False: counts if first.weight is None else outcome_counts(first, weighted=False)}
        self.comparisons = self._value(first.names, tables)

    def append(self, rows: Comparisons) -> None:
        """Append rows on the same competitors.

        Raises:
            BadComparisons: The rows have other names or categories, or voters where the others have none.
        """
        _refuse_more(rows)
        previous = self.comparisons
        if rows.names != previous.names:
            raise BadComparisons("the rows to append are on other competitors")
        if (rows.voter is None) != (previous.voter is None):
            raise BadComparisons("either all rows have voters, or none")
        if self._weight is None and rows.weight is not None:
            self._weight = GrowingColumn(np.ones(len(previous)))
        weight = np.ones(len(rows)) if rows.weight is None else rows.weight
        for name, column in self._columns.items():
            column.append(getattr(rows, name))
        if self._weight is not None:
            self._weight.append(weight)
        if self._voter is not None and rows.voter is not None:
            self._voter.append(rows.voter)
        counts = {True: _add(previous.counted[True], rows, weight)}
        counts[False] = (
            counts[True] if self._weight is None else _add(previous.counted[False], rows, (weight > 0).astype(float))
        )
        self.comparisons = self._value(previous.names, counts)

    def _value(self, names: tuple[str, ...], counts: dict[bool, NDArray[np.float64]]) -> Comparisons:
        """The log as it is now, without the checks of all rows, each of which was checked when it came."""
        log = object.__new__(Comparisons)
        columns = {name: read_only(column.values) for name, column in self._columns.items()}
        weight = None if self._weight is None else read_only(self._weight.values)
        voter = None if self._voter is None else read_only(self._voter.values)
        further_fields = {"voter": voter, "category": None, "categories": ()}
        for name, value in {**columns, **further_fields, "weight": weight, "names": names, "counted": counts}.items():
            object.__setattr__(log, name, value)
        return log


def _refuse_more(log: Comparisons) -> None:
    if log.category is not None:
        raise BadComparisons("a growing log has no categories")


def _add(totals: NDArray[np.float64], rows: Comparisons, weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """The counts with these rows; row by row, so that weights are added in the order of the log."""
    counts, size = totals.copy(), len(rows.names)
    cell = (rows.left.astype(np.int64) * size + rows.right) * len(OUTCOMES) + rows.outcome
    np.add.at(counts.reshape(-1), cell, weight)
    return counts
