"""The worker's loop: fail lost turns, and publish a new snapshot whenever the vote log has grown.

It has a lease and no job queue: each round looks up what is due, so no job can be lost or done twice. The transaction
that publishes checks the fencing token of the lease.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import time
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from arena.adapters.background import repeat
from arena.adapters.observability import metrics
from arena.adapters.shared_log import share_log
from arena.adapters.store import snapshots
from arena.adapters.store.leases import Superseded, unguarded
from arena.domain.labels.label_sets import CAST
from arena.domain.terms import PairingRule
from arena.evaluations.usecases.archive import archive_due
from arena.evaluations.usecases.people.redistribution import QualityChecks, redistribute_due
from arena.serving.fit_process import warm
from arena.usecases.battles import sweeper
from arena.usecases.endpoints import definition, figures, monitoring
from arena.usecases.files.tree import publish_files
from arena.usecases.images import uploads
from arena.usecases.integrity import gate_rounds, retention
from arena.usecases.integrity.gate_rounds import GateState
from arena.usecases.labelling.rule_labels import label_by_rules
from arena.usecases.ranking import methods, pair_tables, publication
from arena.usecases.ranking.vote_columns import CountedLog
from arena.usecases.votes import neighbourhoods

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.domain.labels.label_sets import LabelSource
    from arena.evaluations.store.archived_answers import AnswerFiles
    from arena.serving.lead import Lead
    from arena.usecases.files.tree import TreeSource
    from arena.usecases.ranking.fitted_boards import Fit
    from arena.usecases.ranking.methods import Method
    from arena_rating import Comparisons, Leaderboard

log = logging.getLogger(__name__)

SLOW: Final = 2.0
"""Seconds of warmup up that are logged; only a first compilation takes longer."""
REST: Final = 60.0
"""Seconds without a new snapshot after which the fitting process is ended, which frees 180 MB."""


@dataclass(slots=True)
class Rounds:
    """The rounds of a worker, and the state between them.

    Attributes:
        fit: Function that may distribute fits beyond `executor`.
        lead: Lease without which nothing is published; None for a worker alone.
        alarm: Votes of a day from which on a neighbourhood with most of them raises an alarm.
        gate: Whether new votes are judged before they are published.
        closed: Whether only a certain group votes here, which the gate takes into account.
        pairing: Rule of the pair table that follows each snapshot.
        labels: Source of the labels of boards of topics.
        release_rate: Rate of release that is set by hand, or 0.
        answers: Files to which answers of evaluations move `archive_after` they were closed.
        files: Folder of the public files, which are written once a day, and their source.
    """

    database: Database
    method: Method
    executor: Executor
    now: Callable[[], datetime]
    fit: Fit = methods.fit
    lead: Lead | None = None
    alarm: int = 0
    gate: bool = True
    closed: bool = False
    pairing: PairingRule = PairingRule.RANK
    labels: LabelSource = CAST
    release_rate: int = 0
    answers: AnswerFiles | None = None
    archive_after: timedelta = timedelta(0)
    files: tuple[Path, TreeSource] | None = None
    _votes: CountedLog = field(default_factory=CountedLog)
    _gate_state: GateState = field(default_factory=GateState)
    _checks: QualityChecks = field(default_factory=QualityChecks)
    _clean_day: date | None = None
    _file_day: date | None = None

    async def run(self) -> int | None:
        """Do what is due; return the number of a new snapshot, None if there is none."""
        await tend(self.database, self.now())
        await self._clean()
        await uploads.expire(self.database, self.now())
        await neighbourhoods.watch(self.database, self.alarm, self.now())
        guard = self.lead.guard() if self.lead else unguarded
        while self.gate and await self._decide(guard):
            pass
        await label_by_rules(self.database, [self.labels], executor=self.executor, now=self.now(), guard=guard)
        options: dict[str, Any] = {"executor": self.executor, "guard": guard}
        published = await publication.publish(
            self.database, self.method, self._votes, **options, now=self.now, fit=self.fit, labels=self.labels
        )
        await pair_tables.publish_pairs(
            self.database, self.pairing, self._votes, **options, now=self.now(), release_rate=self.release_rate
        )
        await publication.thin(self.database, self.now())
        if published:
            metrics.SNAPSHOT.set(self.now().timestamp())
        for exclusion in await redistribute_due(self.database, self._checks, **options, now=self.now()):
            log.info("%s leaves out annotator %s: %s (%d withdrawn)", *exclusion)
        await self._archive(guard)
        await self._file()
        return published

    async def _clean(self) -> None:
        """Delete data whose time of retention is over, once a day."""
        if self._clean_day != (today := self.now().date()):
            await retention.drop_keys(self.database, self.now())
            self._clean_day = today

    async def _file(self) -> None:
        """Write the public files of a day, once there is a board."""
        today = self.now().date()
        if self.files and self._file_day != today and await self.database.read(snapshots.newest_id):
            written = await publish_files(self.database, *self.files, self.now())
            self._file_day = today
            log.info("%d public files are written", len(written))

    async def _archive(self, guard: Callable[[Session], None]) -> None:
        """Move answers of evaluations that have been closed for long enough to files."""
        if self.answers is not None:
            before = self.now() - self.archive_after
            if moved := await archive_due(self.database, self.answers, before, guard=guard):
                log.info("the answers of %d models of closed evaluations are in files now", len(moved))

    async def _decide(self, guard: Callable[[Session], None]) -> bool:
        """Judge a batch of new votes; return whether more are waiting."""
        options: dict[str, Any] = {"executor": self.executor, "guard": guard, "closed": self.closed}
        return await gate_rounds.decide(self.database, self._gate_state, **options, now=self.now())


async def work(rounds: Rounds, *, new_executor: Callable[[], Executor], pause: float) -> None:
    """Run a round every `pause` seconds until cancelled; a failed round is logged and the next one tries again.

    `new_executor` makes an executor that runs the fits in another process, again if that process has died. It starts
    its process at the first fit; after `REST` seconds without a snapshot the next fit gets another.
    """
    # While the first round reads the log; its fit waits for this in the same executor.
    warmup, last_use = asyncio.create_task(_warm(rounds.executor)), time.monotonic()

    async def step() -> float | None:
        nonlocal last_use
        if last_use and warmup.done() and time.monotonic() - last_use > REST:
            rounds.executor.shutdown(wait=False, cancel_futures=True)
            rounds.executor, last_use = new_executor(), 0.0
        if rounds.lead and not await rounds.lead.mine():
            return None
        try:
            published = await rounds.run()
        except BrokenExecutor:
            log.warning("the fitting process died; the next round starts another")
            rounds.executor = new_executor()
            return None
        except Superseded:
            log.warning("another worker has taken over; the result computed here is dropped")
            return None
        last_use = time.monotonic() if published else last_use
        # A quick snapshot is followed by the full one without a pause.
        return 0 if published else None

    try:
        await repeat(step, pause=pause, failure="the worker's round failed")
    finally:
        warmup.cancel()
        rounds.executor.shutdown(wait=False, cancel_futures=True)


async def tend(database: Database, now: datetime) -> None:
    """Do what is due for battles and endpoints: close lost turns, publish figures, suspend endpoints that fail."""
    await sweeper.sweep(database, now)
    await definition.list_settled(database, now)
    if await figures.publish_figures(database, now):
        for name in await monitoring.suspend_failing(database, now):
            log.warning("%s is suspended: it fails too often", name)


async def _warm(executor: Executor) -> None:
    """Compile the rating kernels before the first vote needs them; the machine code is cached for later starts."""
    try:
        seconds = await asyncio.get_running_loop().run_in_executor(executor, warm)
    except BrokenExecutor:
        log.warning("the fitting process ended before it had compiled the rating kernels; the next fit compiles them")
    except Exception:
        log.exception("the rating kernels could not be compiled ahead of time")
    else:
        if seconds > SLOW:
            log.info("compiled the rating kernels in %.0f s; later starts use the cache", seconds)


@dataclass(frozen=True, slots=True)
class DaskFit:
    """A fit whose orders run on the dask cluster at `scheduler`; its workers read the log from `folder`."""

    scheduler: str
    folder: Path

    def __call__(self, votes: Comparisons, method: Method) -> Leaderboard:
        """Fit on the cluster, with the same bits as without it."""
        distributed: Any = importlib.import_module("distributed")  # an optional package without types
        with distributed.Client(self.scheduler) as client:
            return methods.fit(votes, method, client.get_executor(), partial(share_log, self.folder))
