"""Answers of several people to the same items as columns: the input of the statistics of annotators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class AnswerTable:
    """n answers; one person may answer an item several times.

    Attributes:
        person: int32 [n], index in `people`.
        item: int32 [n], index of what was asked, such as a pair of answers to a prompt.
        label: int32 [n], index in `labels`, the same whichever side a model was shown on.
        lean: int8 [n], 1 where the left side was preferred, -1 the right one, 0 for ties.
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
        """Answers by item and label, [items, labels]; repeats count each time."""
        cell = self.item.astype(np.int64) * len(self.labels) + self.label
        return np.bincount(cell, minlength=self.items * len(self.labels)).reshape(self.items, len(self.labels))
