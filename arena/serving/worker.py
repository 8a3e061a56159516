"""The worker: its loops beside a serving process, or in a process of their own by `arena worker`."""

from __future__ import annotations

import asyncio
import signal
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.adapters.background import in_background, repeat
from arena.adapters.log_files import LogFiles
from arena.adapters.observability import logging as logs
from arena.adapters.store.engine import on_postgres
from arena.api.http.metrics_server import published, watch_database
from arena.cli.boards.publish import source_of
from arena.cli.context import now, opened
from arena.cli.log_sequencer import sequencer_of
from arena.domain.errors import Unavailable
from arena.domain.labels.label_sets import LabelSource
from arena.domain.terms import PairingRule
from arena.evaluations.store.archived_answers import AnswerFiles
from arena.serving.fit_process import SparingExecutor, fitting_process, forked_fitting_process
from arena.serving.loops import run_loops
from arena.serving.publisher import DaskFit, Publisher, warm_up
from arena.serving.sequencing import NAME as SEQUENCE
from arena.serving.sequencing import sequencer_loop
from arena.serving.trace_export import exported
from arena.settings import Settings
from arena.usecases.ranking import methods
from arena.usecases.ranking.methods import Method
from arena.usecases.work_lease import hold_lease
from arena_rating import EloParameters, LeaderboardParameters

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence
    from concurrent.futures import Executor
    from datetime import datetime

    from arena.adapters.store.engine import Database
    from arena.serving.loops import Loop

IDLE_SECONDS: Final = 60.0
"""Seconds without work after which the fitting process is ended, which frees 180 MB."""


def worker(
    verbose: Annotated[bool, typer.Option(help="Log more.")] = False,
) -> None:
    """Compute and publish leaderboards, beside `arena serve --no-worker`; further workers wait as standby."""
    settings = Settings()
    logs.configure_service(settings.log, verbose=verbose)
    if not on_postgres(settings.database):
        raise Unavailable("a separate worker needs PostgreSQL; with SQLite it runs inside `arena serve`")
    executor = forked_fitting_process()
    metrics = published(settings.metrics_host, settings.metrics_port)
    with executor, metrics, exported(settings), opened(settings) as database:
        watch_database(database)
        asyncio.run(_until_stopped(settings, database, executor))


@asynccontextmanager
async def working(settings: Settings, database: Database, executor: Executor) -> AsyncGenerator[None]:
    """Run the worker's loops in the background of the block; on PostgreSQL each only while it holds the lease.

    `executor` runs the fits until it breaks or has no work; it is ended after the block.
    """
    many = on_postgres(settings.database)
    fits = SparingExecutor(fitting_process, executor)
    async with hold_lease(database, now, many=many) as lease, hold_lease(database, now, SEQUENCE, many=many) as other:
        sequencer = sequencer_of(settings, database, LogFiles(settings.published_log))
        loops = publisher_of(settings, database, fits).loops(settings.rank_seconds, lease)
        async with in_background(work([*loops, sequencer_loop(sequencer, other)], database, now, fits)):
            yield


def publisher_of(settings: Settings, database: Database, executor: Executor) -> Publisher:
    """The passes of the worker's loops by these settings."""
    return Publisher(
        database,
        Method(LeaderboardParameters(EloParameters(orders=settings.rank_orders)), seed=settings.rank_seed),
        executor,
        now,
        fit=DaskFit(settings.dask_scheduler, settings.dask_folder) if settings.dask_scheduler else methods.fit,
        alarm=settings.alarm_votes,
        gate=settings.vote_gate == "on",
        closed=settings.closed,
        pairing=PairingRule(settings.pairing),
        labels=LabelSource.parse(settings.board_labels),
        release_rate=settings.release_rate,
        answers=AnswerFiles.within(settings.data) if settings.archive_days else None,
        archive_after=timedelta(days=settings.archive_days),
        files=(settings.files_folder, source_of(settings)) if settings.files == "daily" else None,
        folder=settings.data,
    )


async def work(
    loops: Sequence[Loop],
    database: Database,
    now: Callable[[], datetime],
    fits: SparingExecutor,
) -> None:
    """Run the loops until cancelled, and end the executor of their fits while it has no work."""

    async def rest() -> None:
        fits.rest(IDLE_SECONDS)

    resting = repeat(rest, pause=IDLE_SECONDS / 10, failure="the fitting process cannot be ended")
    try:
        async with in_background(warm_up(fits), resting):
            await run_loops(loops, database, now)
    finally:
        fits.shutdown(wait=False, cancel_futures=True)


async def _until_stopped(settings: Settings, database: Database, executor: Executor) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with working(settings, database, executor):
        print("Worker started.", flush=True)
        await stopped.wait()
