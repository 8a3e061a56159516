"""`arena worker`: rating and publishing in a process of its own."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from arena import ranking
from arena.api.metrics import published, watch_database
from arena.cli import logs
from arena.cli.opening import now, opened
from arena.cli.telemetry import exported
from arena.errors import Unavailable
from arena.fitting import fitting_process
from arena.ranking import Method
from arena.rating import EloParameters, LeaderboardParameters
from arena.settings import Settings
from arena.store.engine import on_postgres
from arena.worker import DaskFit, Lead, work

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from arena.store.engine import Database


def worker(
    verbose: Annotated[bool, typer.Option(help="Log what happens.")] = False,
) -> None:
    """Count the votes and publish leaderboards, beside `arena serve --no-worker`; a second one waits for its turn."""
    settings = Settings()
    logs.configure(settings.log, logging.INFO if verbose or settings.log == "json" else logging.WARNING)
    logging.getLogger("arena.worker").setLevel(logging.INFO)
    if not on_postgres(settings.database):
        raise Unavailable("a worker of its own needs PostgreSQL; with SQLite `arena serve` has it inside")
    watched = published(settings.metrics_host, settings.metrics_port)
    with watched, exported(settings), opened(settings) as database:
        watch_database(database)
        asyncio.run(_until_stopped(settings, database))


@asynccontextmanager
async def working(settings: Settings, database: Database) -> AsyncGenerator[None]:
    """The worker's loop beside whatever the caller does; on a server it takes turns with others."""
    method = Method(LeaderboardParameters(EloParameters(orders=settings.rank_orders)), seed=settings.rank_seed)
    fit = DaskFit(settings.dask_scheduler, settings.dask_folder) if settings.dask_scheduler else ranking.fit
    turns = Lead(database, now).kept() if on_postgres(settings.database) else nullcontext()
    async with turns as lead:
        task = asyncio.create_task(
            work(database, method, hire=fitting_process, pause=settings.rank_seconds, now=now, fit=fit, lead=lead)
        )
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _until_stopped(settings: Settings, database: Database) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with working(settings, database):
        print("The worker is at work.", flush=True)
        await stopped.wait()
