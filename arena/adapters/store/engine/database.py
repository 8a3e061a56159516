"""The interface of SQLite and PostgreSQL databases."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Generator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy.exc import DBAPIError, StatementError
from sqlalchemy.orm import Session

from arena.adapters.observability.tracing import span
from arena.adapters.store.engine.batching import Batcher, I, O
from arena.domain.errors import ArenaError, DataRefused, StoreUnavailable

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Load:
    """Load of a database: waiting work, connections in use, and most connections."""

    waiting: int
    used: int
    connections: int


class Database(ABC):
    """Runs functions that take a session as their first argument, each call in its own transaction."""

    @cached_property
    def _batchers(self) -> WeakKeyDictionary[asyncio.AbstractEventLoop, dict[object, Batcher[Any, Any]]]:
        return WeakKeyDictionary()

    @abstractmethod
    async def read(self, work: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work(session, …)` in a read-only transaction; each statement may see newer data than the previous one.

        Raises:
            StoreUnavailable: The database could not answer.
        """

    @abstractmethod
    async def write(self, work: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work(session, …)` and flush its writes to disk. Cancelling the caller does not stop it.

        Raises:
            IntegrityError: A constraint was violated; nothing was saved.
            DataRefused: The database refuses a value; nothing was saved.
            StoreUnavailable: Nothing was saved, unless the connection was lost during the commit: then the writes may
                have been saved, which a retry must allow for.
        """

    @abstractmethod
    def load(self) -> Load:
        """The current load by this process; thread-safe."""

    async def batch(self, work: Callable[[Database, Sequence[I]], Awaitable[Sequence[O | Exception]]], item: I) -> O:
        """The result of `work(self, items)` for `item`, batched with the items of concurrent callers.

        Raises:
            Exception: The result of `work` for this item, or raised by it for this item alone.
            StoreUnavailable: Raised by `work` for the whole batch.
        """
        batchers = self._batchers.setdefault(asyncio.get_running_loop(), {})
        if work not in batchers:
            batchers[work] = Batcher(partial(work, self))
        with span("batch", work=work.__name__):
            return await batchers[work](item)

    def queued(self) -> int:
        """Number of items that wait for a batch."""
        return sum(entry.waiting for batchers in list(self._batchers.values()) for entry in list(batchers.values()))

    @abstractmethod
    def close(self) -> None:
        """Wait for running work, then close threads and connections."""


@contextmanager
def timed(work: Callable[..., object]) -> Generator[None]:
    """Measure and trace a write from its request to its commit."""
    # Commands that only read start faster without Prometheus.
    from arena.adapters.observability.metrics import WRITES

    with WRITES.time(), span("commit", work=work.__name__):
        yield


async def outlasting(future: Future[T]) -> T:
    """The result of work that goes on when its caller is cancelled, who then hears of no refusal either."""
    result = asyncio.wrap_future(future)
    try:
        return await asyncio.shield(result)
    except asyncio.CancelledError:
        result.add_done_callback(_drop_refusal)
        raise


def _drop_refusal(result: asyncio.Future[Any]) -> None:
    # asyncio logs every error that nobody asks for.
    if not result.cancelled() and (error := result.exception()) and not isinstance(error, ArenaError):
        log.error("a write failed whose caller is gone", exc_info=error)


def unavailable(error: BaseException) -> StoreUnavailable:
    """The public error for `error`, which is logged, but without a value that the database refuses."""
    if refuses_value(error):
        log.error("the database refuses a value: %s", type(error).__name__)
        return DataRefused(retry_after=5)
    log.error("the database failed: %s", error)
    return StoreUnavailable(retry_after=5)


_OF_VALUES = (OverflowError, UnicodeEncodeError)
"""Errors of SQLite's driver for numbers beyond 64 bits and for lone surrogates."""
_DATA_EXCEPTION = "22"
"""Class of PostgreSQL's states for values that it refuses, such as text with NUL."""


def refuses_value(error: BaseException) -> bool:
    """Whether an error is about a value that cannot be stored, which no retry changes."""
    if not isinstance(error, DBAPIError):
        return isinstance(error, (*_OF_VALUES, StatementError))
    state = getattr(error.orig, "sqlstate", None) or ""
    # PostgreSQL's driver raises a ValueError for what it cannot encode.
    return state.startswith(_DATA_EXCEPTION) or isinstance(error.orig and error.orig.__cause__, ValueError)
