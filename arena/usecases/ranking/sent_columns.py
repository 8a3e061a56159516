"""Columns of the log that the fitting process keeps, so that only new votes are sent to it.

They are a copy: a process that lacks it, or has one of another log, raises `Lost` and is sent the whole log.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, TypeVar

from arena_rating import Comparisons
from arena_rating.growing_log import GrowingLog

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor

P = ParamSpec("P")
T = TypeVar("T")

_LOCK: Final = Lock()


class Lost(Exception):
    """The process lacks the rows before those that were sent."""


@dataclass(frozen=True, slots=True, eq=False)
class Addition:
    """Rows that follow the first `after` rows of the columns with this key; 0 if these are all rows."""

    key: int
    after: int
    rows: Comparisons


@dataclass(slots=True, eq=False)
class SentColumns:
    """The columns of a log: an addition to those sent before, and `whole`, which makes all if these are lost."""

    addition: Addition
    whole: Callable[[], Comparisons]

    def __len__(self) -> int:
        return self.addition.after + len(self.addition.rows)

    async def run(
        self, executor: Executor, work: Callable[Concatenate[Comparisons, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """The result of `work(comparisons, …)`, run in the executor's process."""
        run = asyncio.get_running_loop().run_in_executor
        try:
            result = await run(executor, _work, self.addition, work, args, kwargs)
        except Lost:
            self.addition = Addition(self.addition.key, 0, self.whole())
            result = await run(executor, _work, self.addition, work, args, kwargs)
        self.addition = Addition(self.addition.key, len(self), _first(self.addition.rows, 0))
        return result


def _first(rows: Comparisons, n: int) -> Comparisons:
    weight, voter = (None if column is None else column[:n] for column in (rows.weight, rows.voter))
    columns = {"left": rows.left[:n], "right": rows.right[:n], "outcome": rows.outcome[:n]}
    return replace(rows, **columns, weight=weight, voter=voter)


@dataclass(slots=True)
class _ColumnCache:
    """The columns that this process keeps, of one log at a time."""

    key: int = 0
    log: GrowingLog | None = None

    def extend(self, addition: Addition) -> Comparisons:
        """Append rows; returns the whole log.

        Raises:
            Lost: The rows before the new ones are not here.
        """
        with _LOCK:
            if not addition.after:
                self.log = None  # first, since memory may not hold both
                self.key, self.log = addition.key, GrowingLog(addition.rows)
            elif self.log is None or (self.key, len(self.log.comparisons)) != (addition.key, addition.after):
                raise Lost
            elif len(addition.rows):
                self.log.append(addition.rows)
            return self.log.comparisons


_CACHE: Final = _ColumnCache()


def _work(addition: Addition, work: Callable[..., T], args: tuple[object, ...], kwargs: Mapping[str, object]) -> T:
    return work(_CACHE.extend(addition), *args, **kwargs)
