"""Append-only columns, and an append-only log with its outcome counts."""

from __future__ import annotations

from typing import Final, Generic

import numpy as np
from numpy.typing import NDArray

from arena_rating.comparisons import OUTCOMES, Comparisons, S, read_only
from arena_rating.counts import outcome_counts
from arena_rating.errors import BadComparisons

_COLUMNS: Final = ("left", "right", "outcome")


class GrowingColumn(Generic[S]):
    """A column with spare capacity: appending rarely copies the earlier values.

    Views from before an append keep their length and content.
    """

    __slots__ = ("_buffer", "_size")

    def __init__(self, values: NDArray[S]) -> None:
        """Start with these values, which the first append copies."""
        self._buffer, self._size = values, len(values)

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> NDArray[S]:
        """All values so far: a view [n, …]."""
        return self._buffer[: self._size]

    def append(self, values: NDArray[S]) -> None:
        """Append values of the same shape and type."""
        end = self._size + len(values)
        if end > len(self._buffer):
            # Spare capacity takes no memory: the system allocates a page when it is written.
            buffer = np.empty((max(end, 2 * self._size), *self._buffer.shape[1:]), self._buffer.dtype)
            buffer[: self._size] = self.values
            self._buffer = buffer
        if len(values):
            self._buffer[self._size : end] = values
        self._size = end


class GrowingNumbers:
    """Numbers from 0 for 64-bit labels, in 12 bytes each; a label keeps its first number."""

    __slots__ = ("_labels", "_numbers")

    def __init__(self) -> None:
        """Start without labels; they are stored sorted."""
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
    """Append-only comparisons with their outcome counts, at the cost of the appended rows.

    The counts have the bits of a count of all rows at once. Earlier values of `comparisons` do not change.
    """

    def __init__(self, rows: Comparisons) -> None:
        """Start with these rows.

        Raises:
            BadComparisons: The rows have categories, which a growing log does not.
        """
        _refuse_categories(rows)
        self._columns = {name: GrowingColumn(getattr(rows, name)) for name in _COLUMNS}
        self._weight = None if rows.weight is None else GrowingColumn(rows.weight)
        self._voter = None if rows.voter is None else GrowingColumn(rows.voter)
        counts = outcome_counts(rows)
        tables = {True: counts, False: counts if rows.weight is None else outcome_counts(rows, weighted=False)}
        self.comparisons = self._value(rows.names, tables)

    def append(self, rows: Comparisons) -> None:
        """Append rows on the same competitors.

        Raises:
            BadComparisons: The rows have other names or categories, or voters where the log has none, or the reverse.
        """
        _refuse_categories(rows)
        previous = self.comparisons
        if rows.names != previous.names:
            raise BadComparisons("the rows to append have other competitors")
        if (rows.voter is None) != (previous.voter is None):
            raise BadComparisons("either all rows have voters or none has")
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
        """The log so far, without `__post_init__`: every row was checked when it was appended."""
        log = object.__new__(Comparisons)
        columns = {name: read_only(column.values) for name, column in self._columns.items()}
        weight = None if self._weight is None else read_only(self._weight.values)
        voter = None if self._voter is None else read_only(self._voter.values)
        fields = {"weight": weight, "voter": voter, "names": names, "counted": counts}
        for name, value in {**columns, **fields, "category": None, "categories": ()}.items():
            object.__setattr__(log, name, value)
        return log


def _refuse_categories(log: Comparisons) -> None:
    if log.category is not None:
        raise BadComparisons("a growing log has no categories")


def _add(totals: NDArray[np.float64], rows: Comparisons, weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """The counts with these rows, added row by row so that sums of weights keep the order of the log."""
    counts, size = totals.copy(), len(rows.names)
    cell = (rows.left.astype(np.int64) * size + rows.right) * len(OUTCOMES) + rows.outcome
    np.add.at(counts.reshape(-1), cell, weight)
    return counts
