"""Weights in force: the weight of each vote by the decisions so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FULL_QUARTERS: Final = 4
"""Quarters of a vote that counts in full."""
GATE: Final = "gate"
"""Author of the gate's decisions; any other author is an operator."""
ENDED: Final = "ended"
"""Reason of a decision that ends earlier ones."""


def _empty() -> NDArray[np.int8]:
    return np.empty(0, np.int8)


@dataclass(slots=True)
class WeightsInForce:
    """Columns indexed by the number of a vote; votes beyond their end count in full.

    The latest decision on a vote holds, but the gate's decisions do not override an operator's.

    Attributes:
        last: Number of the last decision applied.
        quarters: int8, weight in quarters.
        reason: int8, index in `reasons`, -1 for a vote without a decision.
        by_operator: int8, 1 for votes with an operator's decision.
        reasons: Reasons in order of appearance.
        last_read: Largest number of a vote whose weight was read.
        revision: Number of decisions that changed a weight which may have been read before.
    """

    last: int = 0
    quarters: NDArray[np.int8] = field(default_factory=_empty)
    reason: NDArray[np.int8] = field(default_factory=_empty)
    by_operator: NDArray[np.int8] = field(default_factory=_empty)
    reasons: list[str] = field(default_factory=list[str])
    last_read: int = 0
    revision: int = 0

    def apply(self, number: int, quarters: int, reason: str, votes: Sequence[int], by: str) -> None:
        """Apply the next decision."""
        rows = np.asarray(votes, np.int64)
        self._extend(int(rows.max(initial=-1)) + 1)
        if by == GATE:
            rows = rows[self.by_operator[rows] == 0]
        else:
            self.by_operator[rows] = 1
        if reason not in self.reasons:
            self.reasons.append(reason)
        if (self.quarters[rows[rows <= self.last_read]] != quarters).any():
            self.revision += 1
        self.quarters[rows] = quarters
        self.reason[rows] = self.reasons.index(reason)
        self.last = number

    def weights(self, numbers: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """The weights of these votes; None if all count in full."""
        self.last_read = max(self.last_read, int(numbers.max(initial=0)))
        quarters = self._of(self.quarters, numbers, FULL_QUARTERS)
        return None if (quarters == FULL_QUARTERS).all() else quarters / FULL_QUARTERS

    def copy(self) -> WeightsInForce:
        """The weights as they are now, which later decisions do not change."""
        columns = {"quarters": self.quarters, "reason": self.reason, "by_operator": self.by_operator}
        return replace(self, reasons=list(self.reasons), **{name: column.copy() for name, column in columns.items()})

    def differing(
        self,
        numbers: NDArray[np.int64],
        quarters: NDArray[np.integer],
        reasons: NDArray[np.integer],
        names: Sequence[str],
    ) -> NDArray[np.intp]:
        """Indices of the votes without an operator's decision whose weight or reason in force is not the given one.

        `reasons` are indices in `names`; they are ignored for votes that count in full.
        """
        codes = np.array([names.index(word) if word in names else -2 for word in self.reasons], np.int64)
        reason = self._of(self.reason, numbers, -1).astype(np.int64)
        reason = np.where(reason < 0, -2, np.append(codes, -2)[reason])
        is_different = self._of(self.quarters, numbers, FULL_QUARTERS) != quarters
        is_different |= (quarters < FULL_QUARTERS) & (reason != reasons)
        return np.flatnonzero(is_different & (self._of(self.by_operator, numbers, 0) == 0))

    def judge(
        self,
        numbers: NDArray[np.int64],
        quarters: NDArray[np.int8],
        reasons: NDArray[np.integer],
        names: Sequence[str],
    ) -> None:
        """Give votes the gate's weights, as its decisions would, except those that an operator has decided.

        `reasons` are indices in `names`, -1 for a vote that counts in full.
        """
        self._extend(int(numbers.max(initial=-1)) + 1)
        is_free = self.by_operator[numbers] == 0
        rows, codes = numbers[is_free], reasons[is_free]
        self.quarters[rows] = quarters[is_free]
        self.reason[rows] = np.where(codes < 0, -1, codes + len(self.reasons))
        self.reasons = [*self.reasons, *names]

    def reduced(self, numbers: NDArray[np.int64]) -> dict[str, int]:
        """Number of these votes with a weight below 1, by reason."""
        reason = self._of(self.reason, numbers, -1)[self._of(self.quarters, numbers, FULL_QUARTERS) < FULL_QUARTERS]
        result: dict[str, int] = {}
        for word, count in zip(self.reasons, np.bincount(reason, minlength=len(self.reasons)).tolist(), strict=True):
            if count:
                result[word] = result.get(word, 0) + count
        return result

    def _of(self, column: NDArray[np.int8], numbers: NDArray[np.int64], default: int) -> NDArray[np.int8]:
        result = np.full(len(numbers), default, np.int8)
        in_range = numbers < len(column)
        result[in_range] = column[numbers[in_range]]
        return result

    def _extend(self, length: int) -> None:
        """Extend the columns to at least `length`, and to twice their length, so that few decisions copy them."""
        count = length - len(self.quarters)
        if count > 0:
            count = max(count, len(self.quarters))
            self.quarters = np.concatenate([self.quarters, np.full(count, FULL_QUARTERS, np.int8)])
            self.reason = np.concatenate([self.reason, np.full(count, -1, np.int8)])
            self.by_operator = np.concatenate([self.by_operator, np.zeros(count, np.int8)])
