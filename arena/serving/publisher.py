"""The passes of the worker's loops: each looks up what is due, so no work can be lost or done twice.

The transaction that publishes checks the fencing token of the worker's lease.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from arena.adapters.observability import metrics
from arena.adapters.shared_log import share_log
from arena.adapters.store import snapshots
from arena.domain.labels.label_sets import CAST
from arena.domain.terms import PairingRule
from arena.evaluations.usecases.archive import archive_due
from arena.evaluations.usecases.people.redistribution import QualityChecks, redistribute_due
from arena.serving.fit_process import give_back, warm
from arena.serving.loops import Loop, Progress
from arena.usecases.battles import sweeper
from arena.usecases.endpoints import definition, figures, monitoring
from arena.usecases.files.tree import publish_files, published_day
from arena.usecases.images import uploads
from arena.usecases.integrity import gate_rounds, retention
from arena.usecases.integrity.gate_rounds import GateState
from arena.usecases.integrity.origin_log import OriginLog
from arena.usecases.labelling import rule_labels
from arena.usecases.ranking import methods, pair_tables, publication
from arena.usecases.ranking.publication import Publication
from arena.usecases.ranking.slice_log import SliceLog
from arena.usecases.ranking.vote_columns import CountedLog
from arena.usecases.votes import neighbourhoods

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from datetime import date, datetime
    from pathlib import Path

    from arena.adapters.store.engine import Database
    from arena.adapters.store.leases import Guard
    from arena.domain.labels.label_sets import LabelSource
    from arena.evaluations.store.archived_answers import AnswerFiles
    from arena.usecases.files.tree import TreeSource
    from arena.usecases.ranking.fitted_boards import Fit
    from arena.usecases.ranking.methods import Method
    from arena.usecases.work_lease import WorkLease
    from arena_rating import Comparisons, Leaderboard

log = logging.getLogger(__name__)

WARM_UP_SECONDS: Final = 5.0
"""A longer warm-up is logged; only a first compilation takes longer."""
SLOW_PERIOD: Final = 60.0
"""Seconds between two passes of what is not urgent."""
MAX_FILE_PAUSE: Final = 3_600.0
"""Largest pause after failures to write the public files, in seconds: each attempt exports all votes."""


@dataclass(slots=True)
class Publisher:
    """The passes of a worker's loops, and the state between them.

    Attributes:
        fit: Function that may distribute fits beyond `executor`.
        alarm: Votes of a day from which on a neighbourhood with most of them raises an alarm.
        gate: Whether new votes are judged before they are published.
        closed: Whether only a certain group votes here, which the gate takes into account.
        pairing: Rule of the pair table that follows each snapshot.
        labels: Source of the labels of boards of topics.
        release_rate: Rate of release that is set by hand, or 0.
        answers: Files to which answers of evaluations move `archive_after` they were closed.
        files: Folder of the public files, which are written once a day, and their source.
        folder: Folder for files of the votes' labels, by default that of temporary files, which may be in memory.
    """

    database: Database
    method: Method
    executor: Executor
    now: Callable[[], datetime]
    fit: Fit = methods.fit
    alarm: int = 0
    gate: bool = True
    closed: bool = False
    pairing: PairingRule = PairingRule.RANK
    labels: LabelSource = CAST
    release_rate: int = 0
    answers: AnswerFiles | None = None
    archive_after: timedelta = timedelta(0)
    files: tuple[Path, TreeSource] | None = None
    folder: Path | None = None
    _votes: CountedLog = field(init=False)
    _gate_state: GateState = field(init=False)
    _checks: QualityChecks = field(default_factory=QualityChecks)
    _listed: int = 0
    _full_at: datetime | None = None
    _clean_day: date | None = None
    _file_day: date | None = None

    def __post_init__(self) -> None:
        self._votes = CountedLog(slices=SliceLog.within(self.folder))
        self._gate_state = GateState(OriginLog.within(self.folder))

    def loops(self, period: float, lease: WorkLease | None = None) -> list[Loop]:
        """One loop for each concern, under one lease; what visitors wait for has a pass every `period` seconds."""
        parts, pairs = (
            Loop("parts", self.publish_parts, period, lease),
            Loop("pairs", self.publish_pairs, period, lease),
        )
        waits = self._oldest_wait
        board = Loop(
            "board", self.publish_board, period, lease, (parts, pairs), stand_by=self._forget_delay, oldest_wait=waits
        )
        gate = [Loop("gate", self.judge, period, lease, (board,))] if self.gate else []
        files = [Loop("files", self.write_files, SLOW_PERIOD, lease, max_pause=MAX_FILE_PAUSE)] if self.files else []
        archives = [Loop("archives", self.archive, SLOW_PERIOD, lease)] if self.answers else []
        return [
            Loop("turns", self.close_turns, period, lease),
            Loop("endpoints", self.watch_endpoints, period, lease),
            Loop("neighbourhoods", self.watch_neighbourhoods, period, lease),
            Loop("labels", self.label, period, lease),
            *gate,
            board,
            parts,
            pairs,
            Loop("snapshots", self.thin, SLOW_PERIOD, lease),
            Loop("retention", self.drop_keys, SLOW_PERIOD, lease),
            Loop("images", self.expire_images, SLOW_PERIOD, lease),
            Loop("annotators", self.check_annotators, SLOW_PERIOD, lease),
            *archives,
            *files,
        ]

    async def close_turns(self, _guard: Guard) -> Progress:
        """Close lost turns and conversations left open."""
        return Progress.of(await sweeper.sweep(self.database, self.now()))

    async def watch_endpoints(self, _guard: Guard) -> Progress:
        """List variants that have their votes, publish figures, and suspend endpoints that fail."""
        _, self._listed = await definition.list_settled(self.database, self.now(), self._listed)
        if (fought := await figures.publish_figures(self.database, self.now())) is None:
            return Progress.NONE
        for name in await monitoring.suspend_failing(self.database, fought, self.now()):
            log.warning("%s is suspended: it fails too often", name)
        return Progress.MADE

    async def watch_neighbourhoods(self, _guard: Guard) -> Progress:
        """Set the metric of neighbourhoods, and warn of one with most of a day's votes."""
        await neighbourhoods.watch(self.database, self.alarm, self.now())
        return Progress.NONE

    async def label(self, guard: Guard) -> Progress:
        """Label the next votes by rules, for boards of topics."""
        number = await rule_labels.label_by_rules(
            self.database, [self.labels], executor=self.executor, now=self.now(), guard=guard
        )
        return Progress.UNFINISHED if number >= rule_labels.MAX_VOTES else Progress.of(number)

    async def judge(self, guard: Guard) -> Progress:
        """Judge the votes that there are now."""
        state = self._gate_state
        judged = state.judged
        await gate_rounds.judge(
            self.database, state, executor=self.executor, now=self.now(), guard=guard, closed=self.closed
        )
        return Progress.of(state.judged > judged)

    def _publication(self, guard: Guard) -> Publication:
        return Publication(
            *(self.database, self.method, self._votes, self.executor, self.now, self.fit, self.labels, guard),
            full_at=self._full_at,
        )

    async def publish_board(self, guard: Guard) -> Progress:
        """Publish a snapshot of the votes that have been judged; the full one follows once it has rested."""
        last = self._gate_state.judged if self.gate else None
        board = await publication.publish_board(self._publication(guard), last)
        if board is None:
            return Progress.NONE
        metrics.SNAPSHOT.set(self.now().timestamp())
        await self._give_back()
        if not board.is_full:
            return Progress.UNFINISHED
        self._full_at = self.now()
        return Progress.MADE

    async def _give_back(self) -> None:
        """Give back the memory that both processes needed for what has been published."""
        give_back()
        await asyncio.get_running_loop().run_in_executor(self.executor, give_back)

    async def _oldest_wait(self) -> datetime | None:
        """The time of the oldest vote that the newest leaderboard lacks, whichever process has published that."""
        waiting = await self.database.read(publication.oldest_wait)
        metrics.BOARD_DELAY.set((self.now() - waiting).total_seconds() if waiting else 0)
        return waiting

    async def _forget_delay(self) -> None:
        metrics.BOARD_DELAY.set(0)

    async def publish_parts(self, guard: Guard) -> Progress:
        """Publish the boards by category, language and style of the newest full snapshot."""
        number = await publication.publish_parts(self._publication(guard))
        if number is not None:
            await self._give_back()
        return Progress.of(number)

    async def publish_pairs(self, guard: Guard) -> Progress:
        """Publish the pair table of the newest snapshot."""
        return Progress.of(await pair_tables.publish_pairs(self._publication(guard), self.pairing, self.release_rate))

    async def thin(self, _guard: Guard) -> Progress:
        """Delete the tables of old snapshots."""
        number = await publication.thin(self.database, self.now())
        return Progress.UNFINISHED if number >= snapshots.MAX_DROPPED else Progress.of(number)

    async def drop_keys(self, _guard: Guard) -> Progress:
        """Delete the keys of neighbourhoods whose time of retention is over, once a day."""
        if self._clean_day == (today := self.now().date()):
            return Progress.NONE
        await retention.drop_keys(self.database, self.now())
        self._clean_day = today
        return Progress.MADE

    async def expire_images(self, _guard: Guard) -> Progress:
        """Delete expired images."""
        await uploads.expire(self.database, self.now())
        return Progress.NONE

    async def check_annotators(self, guard: Guard) -> Progress:
        """Leave out annotators below the thresholds of their evaluation."""
        exclusions = await redistribute_due(
            self.database, self._checks, executor=self.executor, now=self.now(), guard=guard
        )
        for exclusion in exclusions:
            log.info("%s leaves out annotator %s: %s (%d withdrawn)", *exclusion)
        return Progress.of(exclusions)

    async def archive(self, guard: Guard) -> Progress:
        """Move answers of evaluations that have been closed for long enough to files."""
        if self.answers is None:
            return Progress.NONE
        before = self.now() - self.archive_after
        if moved := await archive_due(self.database, self.answers, before, guard=guard):
            log.info("the answers of %d models of closed evaluations are in files now", len(moved))
        return Progress.of(moved)

    async def write_files(self, guard: Guard) -> Progress:
        """Write the public files of a day, once there is a board; the tree itself tells the last day after a start."""
        today = self.now().date()
        if self.files is None or self._file_day == today or not await self.database.read(snapshots.newest_id):
            return Progress.NONE
        if self._file_day is None and await asyncio.to_thread(published_day, self.files[0]) == today:
            self._file_day = today
            return Progress.NONE
        written = await publish_files(self.database, *self.files, self.now(), guard)
        self._file_day = today
        log.info("%d public files are written", len(written))
        return Progress.MADE


async def warm_up(executor: Executor) -> None:
    """Compile the rating kernels before the first vote needs them; the machine code is cached for later starts."""
    try:
        seconds = await asyncio.get_running_loop().run_in_executor(executor, warm)
    except BrokenExecutor:
        log.warning("the fitting process ended before it had compiled the rating kernels; the next fit compiles them")
    except Exception:
        log.exception("the rating kernels could not be compiled ahead of time")
    else:
        if seconds > WARM_UP_SECONDS:
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
