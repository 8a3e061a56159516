"""Answers of several people to the same items as columns: the input of the statistics of annotators."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class AnswerTable:
    """n answers; one person may answer an item several times.

    Attributes:
        person: int32 [n], index in `people`.
        item: int32 [n], index of the thing to judge, such as a pair of answers to a prompt.
        label: int32 [n], index in `labels`, independent of the side on which a model was shown.
        lean: int8 [n], 1 if the left side was preferred, -1 if the right one, 0 for ties.
        area: int32 [n], index in `areas`.
        people: Names of the people.
        labels: Names of the labels.
        areas: Names of the areas.
        items: Number of items.
    """

    person: NDArray[np.int32]
    item: NDArray[np.int32]
    label: NDArray[np.int32]
    lean: NDArray[np.int8]
    area: NDArray[np.int32]
    people: tuple[str, ...]
    labels: tuple[str, ...]
    areas: tuple[str, ...]
    items: int

    def counts(self) -> NDArray[np.int64]:
        """Number of answers by item and label, [items, labels], repeats included; for few labels."""
        cell = self.item.astype(np.int64) * len(self.labels) + self.label
        return np.bincount(cell, minlength=self.items * len(self.labels)).reshape(self.items, len(self.labels))

    def is_first(self) -> NDArray[np.bool_]:
        """Each person's first answer to each item, [n]; the others are repeats."""
        task = self.person.astype(np.int64) * self.items + self.item
        result = np.zeros(len(task), np.bool_)
        result[np.unique(task, return_index=True)[1]] = True
        return result

    def where(self, mask: NDArray[np.bool_]) -> AnswerTable:
        """The answers of a mask [n]."""
        columns = {name: getattr(self, name)[mask] for name in ("person", "item", "label", "lean", "area")}
        return replace(self, **columns)

    def cells(self) -> AnswerCells:
        """The same numbers where there are any, whatever the number of labels."""
        kinds = max(1, len(self.labels))
        cell, count = np.unique(self.item.astype(np.int64) * kinds + self.label, return_counts=True)
        return AnswerCells(cell // kinds, cell % kinds, count)


@dataclass(frozen=True, slots=True, eq=False)
class AnswerCells:
    """Numbers of answers that are not 0, by item and then by label.

    Attributes:
        item: int64 [cells], in ascending order.
        label: int64 [cells].
        count: int64 [cells].
    """

    item: NDArray[np.int64]
    label: NDArray[np.int64]
    count: NDArray[np.int64]

    def rows(self, items: NDArray[np.int32], labels: int) -> NDArray[np.int64]:
        """The counts of each of these items, [items, labels]."""
        distinct, place = np.unique(items, return_inverse=True)
        start, end = (np.searchsorted(self.item, distinct, side) for side in ("left", "right"))
        length = end - start
        shift: NDArray[np.int64] = np.repeat(start - (np.cumsum(length) - length), length)
        cell = np.arange(len(shift)) + shift
        counts = np.zeros((len(distinct), labels), np.int64)
        counts[np.repeat(np.arange(len(distinct)), length), self.label[cell]] = self.count[cell]
        return counts[place]
