"""The columns of the log in the fitting process, which keeps them: a fit is sent only the votes that it does not have.

What is kept there is only a copy: a process that has lost it, or has another one, says so and is sent the whole log.
"""

from __future__ import annotations

import asyncio
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, Protocol, TypeVar

import numpy as np

from arena.adapters.store import vote_columns
from arena_rating import Comparisons
from arena_rating.growing_log import GrowingLog

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from arena_trust.integrity.weights_in_force import WeightsInForce

P = ParamSpec("P")
T = TypeVar("T")

_KEYS: Final = count(1)
_LOCK: Final = Lock()


class Log(Protocol):
    """The part of `CountedLog` that is needed here, since that one has this file's columns."""

    removals: int
    seen: frozenset[int]
    decided: WeightsInForce

    @property
    def numbers(self) -> NDArray[np.int64]: ...

    @property
    def words(self) -> NDArray[np.int64]: ...

    def without(self, endpoints: Iterable[int]) -> Log: ...

    def comparisons(self, names: Mapping[int, str]) -> Comparisons: ...


class Lost(Exception):
    """The process does not have the rows that the sent ones follow."""


@dataclass(frozen=True, slots=True, eq=False)
class Addition:
    """Rows that follow the first `after` rows of the columns with this key; with 0 they are all."""

    key: int
    after: int
    rows: Comparisons


@dataclass(slots=True, eq=False)
class Columns:
    """The columns of a log as an addition to what was sent before, and all of them, should that be lost."""

    addition: Addition
    whole: Callable[[], Comparisons]

    def __len__(self) -> int:
        return self.addition.after + len(self.addition.rows)

    async def run(
        self, executor: Executor, work: Callable[Concatenate[Comparisons, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """`work(comparisons, …)` in the executor's process."""
        run = asyncio.get_running_loop().run_in_executor
        try:
            found = await run(executor, _worked, self.addition, work, args, kwargs)
        except Lost:
            self.addition = Addition(self.addition.key, 0, self.whole())
            found = await run(executor, _worked, self.addition, work, args, kwargs)
        self.addition = Addition(self.addition.key, len(self), _none_of(self.addition.rows))
        return found


def _none_of(rows: Comparisons) -> Comparisons:
    weight = None if rows.weight is None else rows.weight[:0]
    return replace(rows, left=rows.left[:0], right=rows.right[:0], outcome=rows.outcome[:0], weight=weight)


@dataclass(slots=True)
class SentColumns:
    """How much of a log has been sent. Columns with another key begin when rows that were sent have changed.

    Not thread-safe. `_place` has the index of each endpoint among `_names`, -1 for any other; `_read` votes of the log
    were sent or left out, and `_rows` sent.
    """

    _key: int = 0
    _basis: tuple[object, ...] = ()
    _names: tuple[str, ...] = ()
    _place: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    _read: int = 0
    _rows: int = 0

    def of(self, log: Log, names: Mapping[int, str], unlisted: Collection[int]) -> Columns:
        """The columns of a log without the votes on unlisted endpoints; `names` has the name of each other one."""
        basis = (log.removals, log.decided.revision, frozenset(log.seen.intersection(unlisted)))
        now = copy(log)  # it may be advanced before all are needed

        def whole() -> Comparisons:
            return now.without(unlisted).comparisons(names)

        rows = self._following(log, names, unlisted) if basis == self._basis else None
        if rows is None:
            rows = whole()
            self._key, self._basis, self._rows, self._names = next(_KEYS), basis, 0, rows.names
            numbers = {name: number for number, name in names.items()}
            self._place = np.full(max(log.seen, default=0) + 1, -1, np.int32)
            self._place[[numbers[name] for name in rows.names]] = np.arange(len(rows.names))
        columns = Columns(Addition(self._key, self._rows, rows), whole)
        self._read, self._rows = len(log.numbers), self._rows + len(rows)
        return columns

    def _following(self, log: Log, names: Mapping[int, str], unlisted: Collection[int]) -> Comparisons | None:
        """The rows that have not been sent; None if they are on other competitors than those before."""
        numbers, words = log.numbers[self._read :], log.words[self._read :]
        left, right, outcome = vote_columns.unpack(words)
        kept = np.isin([left, right], sorted(unlisted), invert=True).all(axis=0)
        left, right = left[kept], right[kept]
        if max(left.max(initial=0), right.max(initial=0)) >= len(self._place):
            return None
        a, b = self._place[left], self._place[right]
        if min(a.min(initial=0), b.min(initial=0)) < 0 or self._renamed(names):
            return None
        weight = log.decided.weights(numbers[kept])
        return Comparisons(a, b, outcome[kept].astype(np.uint8), weight, None, None, self._names)

    def _renamed(self, names: Mapping[int, str]) -> bool:
        places: list[int] = self._place.tolist()
        return any(names.get(number) != self._names[place] for number, place in enumerate(places) if place >= 0)


@dataclass(slots=True)
class _Kept:
    """The columns that this process keeps, one log at a time."""

    key: int = 0
    log: GrowingLog | None = None

    def grown(self, addition: Addition) -> Comparisons:
        """The whole log.

        Raises:
            Lost: The rows before the sent ones are not here.
        """
        with _LOCK:
            if not addition.after:
                self.log = None  # first, as there may not be room for both
                self.key, self.log = addition.key, GrowingLog(addition.rows)
            elif self.log is None or (self.key, len(self.log.comparisons)) != (addition.key, addition.after):
                raise Lost
            elif len(addition.rows):
                self.log.append(addition.rows)
            return self.log.comparisons


_KEPT: Final = _Kept()


def _worked(addition: Addition, work: Callable[..., T], args: tuple[object, ...], kwargs: Mapping[str, object]) -> T:
    return work(_KEPT.grown(addition), *args, **kwargs)
