"""One loop beside the door: fail lost turns, and publish a new snapshot whenever the vote log has grown.

A loop with a lease and no job queue: each round finds out by itself what is due, so no job can be lost or done twice,
and the one thing to guard, who publishes, is checked in the transaction that publishes.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import secrets
from concurrent.futures import BrokenExecutor, Executor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arena import battles, endpoints, meters, ranking
from arena.errors import ArenaError
from arena.ranking import CountedLog
from arena.store import leases
from arena.store.leases import Superseded

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.calls import Caller
    from arena.ranking import Method
    from arena.ranking.publishing import Fit
    from arena.rating import Comparisons, Leaderboard
    from arena.store.engine import Database

log = logging.getLogger(__name__)

NAME: Final = "publish"
LEASE: Final = 12.0
"""Seconds after which another worker takes over from one that is silent."""
LOOK: Final = 1.0
"""Seconds between two looks of a worker that waits for its turn."""
SLOW: Final = 2.0
"""Seconds that only a first compilation takes."""


@dataclass(slots=True)
class Lead:
    """The right to publish, among several workers: a lease that is renewed as long as this process runs."""

    database: Database
    now: Callable[[], datetime]
    holder: str = field(default_factory=lambda: secrets.token_hex(16))
    _epoch: int = 0

    async def mine(self) -> bool:
        """Take it or renew it; False while another one has it."""
        epoch = await self.database.write(leases.take, NAME, self.holder, self.now(), LEASE)
        if epoch and epoch != self._epoch:
            log.info("this worker publishes now, as number %d", epoch)
        self._epoch = epoch or 0
        return epoch is not None

    def guard(self) -> Callable[[Session], None]:
        """Refuses to store anything once another worker has taken over."""
        epoch = self._epoch
        return lambda session: leases.check(session, NAME, epoch)

    @asynccontextmanager
    async def kept(self) -> AsyncGenerator[Lead]:
        """Renew it beside the work, which may take longer than the lease, and give it back at the end."""
        renewing = asyncio.create_task(self._renew())
        try:
            yield self
        finally:
            renewing.cancel()
            with suppress(asyncio.CancelledError):
                await renewing
            with suppress(ArenaError):
                await self.database.write(leases.release, NAME, self.holder, self.now())

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(LEASE / 4)
            if self._epoch:
                with suppress(ArenaError):
                    await self.mine()


async def work(
    database: Database,
    method: Method,
    *,
    hire: Callable[[], Executor],
    pause: float,
    now: Callable[[], datetime],
    fit: Fit = ranking.fit,
    lead: Lead | None = None,
) -> None:
    """Do the rounds every `pause` seconds until cancelled; a failed round is logged and the next one tries again.

    `hire` gives an executor that runs the fits in another process, and a new one where that has died; `fit` may spread
    them further. With a `lead` only the worker that has it does anything.
    """
    executor = hire()
    votes = CountedLog()
    try:
        await _warm(executor)
        while True:
            published = None
            try:
                if lead and not await lead.mine():
                    await asyncio.sleep(LOOK)
                    continue
                await battles.sweep(database, now())
                await endpoints.list_settled(database, now())
                for name in await endpoints.suspend_failing(database, now()):
                    log.warning("%s is suspended: it fails too often", name)
                guard = lead.guard() if lead else ranking.unguarded
                published = await ranking.publish(
                    database, method, votes, executor=executor, now=now, fit=fit, guard=guard
                )
                await ranking.thin(database, now())
                if published:
                    meters.SNAPSHOT.set(now().timestamp())
            except BrokenExecutor:
                log.warning("the fitting process died; the next round has another")
                executor = hire()
            except Superseded:
                log.warning("another worker has taken over; what was computed here is dropped")
            except ArenaError as error:
                log.warning("the worker's round failed: %s", error)
            except Exception:
                log.exception("the worker's round failed")
            # A quick snapshot is followed by the full one at once.
            await asyncio.sleep(0 if published else pause)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


async def watch_models(caller: Caller, *, pause: float) -> None:
    """Compare every endpoint's answers with those of its approval when it is due, until cancelled.

    Runs where endpoints are called anyway: their providers, models on this machine among them, are open there. Of all
    such processes one takes one endpoint.
    """
    rng = np.random.default_rng()
    while True:
        try:
            for name in await endpoints.check_due(caller, rng, secrets.token_hex(16)):
                log.warning("%s is suspended: another model seems to answer", name)
        except ArenaError as error:
            log.warning("no fingerprints can be taken now: %s", error)
        except Exception:
            log.exception("taking fingerprints failed")
        await asyncio.sleep(pause)


async def _warm(executor: Executor) -> None:
    """Compile what rates before the first vote asks for it; the machine code is kept for later starts."""
    try:
        seconds = await asyncio.get_running_loop().run_in_executor(executor, ranking.warm)
    except Exception:
        log.exception("the rating could not be compiled ahead")
    else:
        if seconds > SLOW:
            log.info("compiled the rating in %.0f s; later starts find it", seconds)


@dataclass(frozen=True, slots=True)
class DaskFit:
    """A fit whose orders run on a dask cluster at `scheduler`; its workers read the log from `folder`."""

    scheduler: str
    folder: Path

    def __call__(self, votes: Comparisons, method: Method) -> Leaderboard:
        """Fit over the cluster; the same bits as without it."""
        distributed: Any = importlib.import_module("distributed")  # an optional package without types
        with distributed.Client(self.scheduler) as client:
            return ranking.fit(votes, method, client.get_executor(), self.folder)
