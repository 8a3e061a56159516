"""What every database promises, whichever server keeps it."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy.orm import Session

from arena.errors import StoreUnavailable
from arena.spans import span
from arena.store.engine.together import I, O, Together

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Load:
    """How busy the lines to a database are: work that waits, connections in use, and how many there may be."""

    waiting: int
    used: int
    connections: int


class Database(ABC):
    """Runs plain functions that take a session first; each call is a transaction of its own."""

    @cached_property
    def _together(self) -> WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Any, Together[Any, Any]]]:
        return WeakKeyDictionary()

    @abstractmethod
    async def read(self, work: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work(session, …)` in a read-only transaction; what it has read once may have changed a statement later.

        Raises:
            StoreUnavailable: The database could not answer.
        """

    @abstractmethod
    async def write(self, work: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work(session, …)`; when this returns, what it wrote is on disk. A caller who leaves does not stop it.

        Raises:
            IntegrityError: A constraint refused it; nothing of this work was kept.
            StoreUnavailable: The database could not save it. Nothing of this work was kept, unless a server was lost
                in the very moment of the commit: whoever asks again must bear to find it done.
        """

    @abstractmethod
    def load(self) -> Load:
        """How busy it is now, from this process; may be asked from any thread."""

    async def together(self, work: Callable[[Database, Sequence[I]], Awaitable[Sequence[O | Exception]]], item: I) -> O:
        """The result of `work(self, items)` for `item`, which is done with those that others ask for meanwhile.

        Raises:
            Exception: What `work` gives for the item, or raises for it alone.
            StoreUnavailable: What it raises for all of them.
        """
        here = self._together.setdefault(asyncio.get_running_loop(), {})
        if work not in here:
            here[work] = Together(partial(work, self))
        with span("together", work=work.__name__):
            return await here[work](item)

    def queued(self) -> int:
        """Items that wait for a round of what is done together."""
        return sum(each.waiting for here in list(self._together.values()) for each in list(here.values()))

    @abstractmethod
    def close(self) -> None:
        """Finish what was begun, then end threads and connections."""


def unavailable(error: BaseException) -> StoreUnavailable:
    """What the public is told of `error`; the truth goes to the log."""
    log.error("the database failed: %s", error)
    return StoreUnavailable(retry_after=5)
