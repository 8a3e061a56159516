"""The columns of the log in the fitting process, which keeps them: a fit is sent only the votes that it does not have.

What is kept there is only a copy: a process that has lost it, or has another one, says so and is sent the whole log.
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
    """The process does not have the rows that the sent ones follow."""


@dataclass(frozen=True, slots=True, eq=False)
class Addition:
    """Rows that follow the first `after` rows of the columns with this key; with 0 they are all."""

    key: int
    after: int
    rows: Comparisons


@dataclass(slots=True, eq=False)
class SentColumns:
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
class _Kept:
    """The columns that this process keeps, one log at a time."""

    key: int = 0
    log: GrowingLog | None = None

    def extend(self, addition: Addition) -> Comparisons:
        """The whole log, with these rows at its end.

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


def _work(addition: Addition, work: Callable[..., T], args: tuple[object, ...], kwargs: Mapping[str, object]) -> T:
    return work(_KEPT.extend(addition), *args, **kwargs)
