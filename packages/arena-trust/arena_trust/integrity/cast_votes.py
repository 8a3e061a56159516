"""Columns of votes with their origins: the input of the vote gate and the output of the attack simulator."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from arena_rating import Comparisons

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DENSE: Final = 1 << 24
"""Number of possible keys up to which a table of all is faster than sorting."""
UNKNOWN: Final = -1
"""Code of a missing label."""
HOUR: Final = 3_600
DAY: Final = 86_400
WEEK: Final = 7 * DAY
UNTOLD: Final = 1
"""Second of the day that stands for an unpublished hour; published hours are multiples of 3600."""
SCORES: Final = np.array([1.0, 0.0, 0.5, 0.5])
"""Score of the left side by outcome."""


@dataclass(frozen=True, slots=True, eq=False)
class CastVotes:
    """A log of n votes, by ascending number.

    Labels (voter, network, since, language, check, client) are codes without order: only equality matters. All but
    `voter` may be `UNKNOWN`, ages and reading times nan.

    Attributes:
        number: int64 [n], unique.
        second: int64 [n], Unix time of the vote in seconds.
        left: int32 [n], index of the left model in `names`.
        right: int32 [n], the same for the right one.
        outcome: uint8 [n], codes of `arena_rating.OUTCOMES`.
        voter: int32 [n].
        network: int32 [n], neighbourhood of the address.
        since: int32 [n], week of the neighbourhood's first vote; `UNKNOWN` for one that is not new.
        language: int32 [n].
        check: int32 [n], tier of the bot check.
        client: int32 [n], kind of client.
        age: float64 [n], number of earlier days with votes of the voter.
        reading: float64 [n], seconds between the end of the answers and the vote.
        names: The models.
    """

    number: NDArray[np.int64]
    second: NDArray[np.int64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    outcome: NDArray[np.uint8]
    voter: NDArray[np.int32]
    network: NDArray[np.int32]
    since: NDArray[np.int32]
    language: NDArray[np.int32]
    check: NDArray[np.int32]
    client: NDArray[np.int32]
    age: NDArray[np.float64]
    reading: NDArray[np.float64]
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.number)

    def rows(self, places: NDArray[np.generic]) -> Self:
        """The rows of a mask or of an array of indices; this log itself, if a mask is true everywhere."""
        if places.dtype == np.bool_ and places.all():
            return self
        columns = [field.name for field in fields(self) if field.name != "names"]
        return replace(self, **{name: getattr(self, name)[places] for name in columns})

    def of_used_models(self, mask: NDArray[np.bool_]) -> Self:
        """The rows of a mask, with only the models that occur in them."""
        log = self.rows(mask)
        is_used = np.zeros(len(log.names), np.bool_)
        is_used[log.left] = is_used[log.right] = True
        if is_used.all():
            return log
        models = np.flatnonzero(is_used)
        left, right = (np.searchsorted(models, side).astype(np.int32) for side in (log.left, log.right))
        return replace(log, left=left, right=right, names=tuple(self.names[int(model)] for model in models))

    def comparisons(self, weight: NDArray[np.float64] | None = None) -> Comparisons:
        """The columns for ratings."""
        return Comparisons(self.left, self.right, self.outcome, weight, self.voter, None, self.names)


def by_appearance(codes: NDArray[np.int32]) -> NDArray[np.int32]:
    """The same partition with codes 0, 1, 2, … in the order of first appearance; `UNKNOWN` stays.

    Results computed from these codes have the same bits however the labels were numbered.
    """
    if not len(codes):
        return codes
    keys = codes.astype(np.int64) + 1
    first = np.full(int(keys.max()) + 1, len(codes), np.int64)
    first[keys[::-1]] = np.arange(len(codes) - 1, -1, -1)
    first[0] = -1
    order = np.argsort(first, kind="stable")
    number_of = np.empty(len(first), np.int32)
    number_of[order] = np.arange(len(first), dtype=np.int32) - 1
    return number_of[keys]


def distinct(key: NDArray[np.int64], limit: int) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """The distinct keys below `limit`, ascending, and the index of each key among them."""
    if limit > _DENSE:
        cells, place = np.unique(key, return_inverse=True)
        return cells, place
    is_present = np.zeros(limit, np.bool_)
    is_present[key] = True
    cells = np.flatnonzero(is_present)
    index = np.zeros(limit, np.intp)
    index[cells] = np.arange(len(cells))
    return cells, index[key]
