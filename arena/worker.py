"""One loop beside the door: fail lost turns, and publish a new snapshot whenever the vote log has grown."""

from __future__ import annotations

import asyncio
import importlib
import logging
import multiprocessing
import os
import signal
import threading
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from arena import battles, meters, ranking
from arena.errors import ArenaError
from arena.ranking import CountedLog

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from multiprocessing.process import BaseProcess

    from arena.ranking import Method
    from arena.ranking.publishing import Fit
    from arena.rating import Comparisons, Leaderboard
    from arena.store.engine import Database

log = logging.getLogger(__name__)

SLOW: Final = 2.0
"""Seconds that only a first compilation takes."""


async def work(
    database: Database,
    method: Method,
    *,
    hire: Callable[[], Executor],
    pause: float,
    now: Callable[[], datetime],
    fit: Fit = ranking.fit,
) -> None:
    """Do the rounds every `pause` seconds until cancelled; a failed round is logged and the next one tries again.

    `hire` gives an executor that runs the fits in another process, and a new one where that has died; `fit` may spread
    them further.
    """
    executor = hire()
    votes = CountedLog()
    try:
        await _warm(executor)
        while True:
            published = None
            try:
                await battles.sweep(database, now())
                published = await ranking.publish(database, method, votes, executor=executor, now=now, fit=fit)
                await ranking.thin(database, now())
                if published:
                    meters.SNAPSHOT.set(now().timestamp())
            except BrokenExecutor:
                log.warning("the fitting process died; the next round has another")
                executor = hire()
            except ArenaError as error:
                log.warning("the worker's round failed: %s", error)
            except Exception:
                log.exception("the worker's round failed")
            # A quick snapshot is followed by the full one at once.
            await asyncio.sleep(0 if published else pause)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


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


def fitting_process() -> ProcessPoolExecutor:
    """A process of its own for the fits, so that computing never slows a stream; it ends with its parent."""
    # Its matrices are small: the threads of the linear algebra would cost more than they give, and only there.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_settle_in)


def _settle_in() -> None:
    """Leave Ctrl-C to the parent, give way to the door, and do not outlive the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(5)
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
