"""Columns that grow at their end, for logs that are only appended to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class GrowingColumn:
    """A column with room behind its end: an append copies what it adds, and seldom what was there.

    Earlier `values` keep their length and their content.
    """

    __slots__ = ("_room", "_used")

    def __init__(self, values: NDArray[Any]) -> None:
        """Begin with these values, which are not copied before the first append."""
        self._room, self._used = values, len(values)

    def __len__(self) -> int:
        return self._used

    @property
    def values(self) -> NDArray[Any]:
        """All values so far: a view [n, …]."""
        return self._room[: self._used]

    def append(self, more: NDArray[Any]) -> None:
        """Append values of the same shape and type."""
        end = self._used + len(more)
        if end > len(self._room):
            # Room that is not used takes no memory: the system gives a page when it is written to.
            room = np.empty((max(end, 2 * self._used), *self._room.shape[1:]), self._room.dtype)
            room[: self._used] = self.values
            self._room = room
        if len(more):
            self._room[self._used : end] = more
        self._used = end
