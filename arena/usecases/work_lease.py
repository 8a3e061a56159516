"""Leases for work that only one of several processes may do at a time."""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.adapters.background import in_background, repeat
from arena.adapters.store import leases
from arena.domain.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from contextlib import AbstractAsyncContextManager
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database

log = logging.getLogger(__name__)

NAME: Final = "publish"
LEASE_SECONDS: Final = 12.0
"""Seconds after which another worker takes over from one that has stopped renewing."""


@dataclass(slots=True)
class WorkLease:
    """The lease `name`, which one of several processes holds, and renews as long as it runs."""

    database: Database
    now: Callable[[], datetime]
    holder: str = field(default_factory=lambda: secrets.token_hex(16))
    name: str = NAME
    _epoch: int = 0

    @property
    def epoch(self) -> int:
        """The fencing token of the lease, a new one after another process had it; 0 without it."""
        return self._epoch

    @property
    def is_held(self) -> bool:
        """Whether this process held the lease when it last took or renewed it."""
        return self._epoch > 0

    async def acquire(self) -> bool:
        """Take or renew the lease; False while another worker holds it."""
        epoch = await self.database.write(leases.take, self.name, self.holder, self.now(), LEASE_SECONDS)
        if epoch and epoch != self._epoch:
            log.info("this process holds the lease %r now, with fencing token %d", self.name, epoch)
        self._epoch = epoch or 0
        return epoch is not None

    async def acquire_soon(self) -> bool:
        """Take the lease, or wait until that of a process that has died ends; False once another one renews its own."""
        end = None
        while not await self.acquire():
            before, end = end, await self.database.read(leases.end_of, self.name)
            if before is not None and end != before:
                return False
            await asyncio.sleep(1)
        return True

    def guard(self) -> Callable[[Session], None]:
        """Return a check for the publishing transaction, which fails once another worker has taken over."""
        epoch = self._epoch
        return lambda session: leases.check(session, self.name, epoch)

    @asynccontextmanager
    async def hold(self) -> AsyncGenerator[WorkLease]:
        """Take the lease once it is free, and renew it, in the background of the block; release it at the end."""
        renewal = repeat(self._renew, pause=LEASE_SECONDS / 4, failure=f"the lease {self.name!r} cannot be renewed")
        try:
            async with in_background(renewal):
                yield self
        finally:
            with suppress(ArenaError):
                await self.database.write(leases.release, self.name, self.holder, self.now())

    async def _renew(self) -> None:
        await self.acquire()


def hold_lease(
    database: Database, now: Callable[[], datetime], name: str = NAME, *, many: bool
) -> AbstractAsyncContextManager[WorkLease | None]:
    """Hold the lease for the block if `many` processes share the database; None for a process alone."""
    return WorkLease(database, now, name=name).hold() if many else nullcontext()
