"""One loop beside the door: fail lost turns, and publish a new snapshot whenever the vote log has grown."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from concurrent.futures import Executor, ProcessPoolExecutor
from typing import TYPE_CHECKING

from arena import battles, ranking
from arena.errors import ArenaError
from arena.ranking import CountedLog

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from multiprocessing.process import BaseProcess

    from arena.ranking import Method
    from arena.store.engine import Database

log = logging.getLogger(__name__)


async def work(
    database: Database, method: Method, *, executor: Executor, pause: float, now: Callable[[], datetime]
) -> None:
    """Do the rounds every `pause` seconds until cancelled; a failed round is logged and the next one tries again."""
    votes = CountedLog()
    while True:
        published = None
        try:
            await battles.sweep(database, now())
            published = await ranking.publish(database, method, votes, executor=executor, now=now)
            await ranking.thin(database, now())
        except ArenaError as error:
            log.warning("the worker's round failed: %s", error)
        except Exception:
            log.exception("the worker's round failed")
        # A quick snapshot is followed by the full one at once.
        await asyncio.sleep(0 if published else pause)


def fitting_process() -> ProcessPoolExecutor:
    """A process of its own for the fits, so that computing never slows a stream; it ends with its parent."""
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_settle_in)


def _settle_in() -> None:
    """Leave Ctrl-C to the parent, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
