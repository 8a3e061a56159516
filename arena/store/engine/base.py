"""What every database promises, whichever server keeps it."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy.orm import Session

from arena.errors import StoreUnavailable

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


class Database(ABC):
    """Runs plain functions that take a session first; each call is a transaction of its own."""

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
    def close(self) -> None:
        """Finish what was begun, then end threads and connections."""


def unavailable(error: BaseException) -> StoreUnavailable:
    """What the public is told of `error`; the truth goes to the log."""
    log.error("the database failed: %s", error)
    return StoreUnavailable(retry_after=5)
