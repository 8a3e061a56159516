"""Loops of background work: one for each concern, with a period, a bound on a pass, its own failures and its own age.

A pass does what was due when it began, and ends. A loop that fails or is slow holds up no other.
"""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

from arena.adapters.background import in_background, repeat
from arena.adapters.observability import metrics
from arena.adapters.store import loops as stored
from arena.adapters.store.leases import Superseded, unguarded
from arena.adapters.store.loops import LATE_PERIODS, REPORT_SECONDS, LoopState
from arena.domain.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import datetime

    from arena.adapters.store.engine import Database
    from arena.adapters.store.leases import Guard
    from arena.usecases.work_lease import WorkLease

log = logging.getLogger(__name__)

MAX_PAUSE: Final = 60.0
"""Largest pause after failures, in seconds, for a loop that names no other; it doubles with each failure."""
MIN_PAUSE_PASSES: Final = 3.0
"""Shortest pause of a loop that is woken, in durations of its last pass; it is no longer than the period."""
_LOST_PROCESS: Final = "the computing process ended in the middle; the next pass starts another"
_BUG: Final = "an unexpected error, which the log has"


class Progress(Enum):
    """Work of a pass: nothing was due, all that was due, or as much as fits into a pass, so that the next follows."""

    NONE = "none"
    MADE = "made"
    UNFINISHED = "unfinished"

    @classmethod
    def of(cls, result: object) -> Progress:
        """`MADE` if a use case returned anything, such as a number of rows."""
        return cls.MADE if result else cls.NONE


async def _nothing() -> None:
    pass


async def _nothing_waits() -> datetime | None:
    return None


@dataclass(slots=True, eq=False)
class Loop:
    """A loop: `work` is called every `period` seconds, with the check that its writing transactions run.

    Attributes:
        name: Noun by which metrics and the operator's page call it.
        lease: WorkLease without which it has no pass; None where each process has its own passes.
        followers: Loops whose next pass begins at once, or after their shortest pause, when this one has done all that
            was due.
        max_pause: Largest pause after failures, in seconds.
        late_after: Seconds without a success after which it is late; 0 stands for ten periods.
        stand_by: Called when another process may run the loop from now on, and at its end; it must not fail.
        oldest_wait: Time from which on input waits after a pass, None if none does. A pass that leaves such input
            behind counts as a success of that time, so the loop is as old as its result, whichever process runs it.
    """

    name: str
    work: Callable[[Guard], Awaitable[Progress]]
    period: float
    lease: WorkLease | None = None
    followers: Sequence[Loop] = ()
    max_pause: float = MAX_PAUSE
    late_after: float = 0.0
    stand_by: Callable[[], Awaitable[None]] = _nothing
    oldest_wait: Callable[[], Awaitable[datetime | None]] = _nothing_waits
    state: LoopState = field(default_factory=LoopState)
    _epoch: int = 0
    _failures: int = 0
    _woken: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.late_after = self.late_after or LATE_PERIODS * max(self.period, REPORT_SECONDS)

    @property
    def is_ours(self) -> bool:
        """Whether this process runs the loop."""
        return self.lease is None or self.lease.is_held

    async def run(self, now: Callable[[], datetime]) -> None:
        """Run passes until cancelled, with a lease only while this process holds it."""
        metrics.LOOP_PERIOD.labels(self.name).set(self.period)
        metrics.LOOP_LATE_AFTER.labels(self.name).set(self.late_after)
        try:
            while True:
                await self._follow_lease()
                if self.is_ours:
                    await self._pause(await self._pass(now, self.lease.guard() if self.lease else unguarded))
                else:
                    await asyncio.sleep(min(self.period, 1.0))
        finally:
            await self.stand_by()

    async def _follow_lease(self) -> None:
        """Forget what was known under an earlier lease, since another process has run the loop after it."""
        epoch = self.lease.epoch if self.lease else 0
        if epoch == self._epoch:
            return
        if self._epoch:
            self.state, self._failures = LoopState(), 0
            with suppress(KeyError):
                metrics.LOOP_PASSED.remove(self.name)
            await self.stand_by()
        self._epoch = epoch

    async def _pass(self, now: Callable[[], datetime], guard: Guard) -> float:
        """Run one pass; returns the seconds until the next one."""
        start = time.monotonic()
        try:
            progress = await self.work(guard)
            seconds, since = time.monotonic() - start, await self.oldest_wait()
        except Superseded:
            log.warning("%s: another process has taken over; the result computed here is dropped", self.name)
            return self.period
        except BrokenExecutor:
            return self._fail(_LOST_PROCESS)
        except ArenaError as error:
            return self._fail(str(error))
        except OSError as error:  # a full disk, or a folder that cannot be written: the operator's to mend, and no bug
            return self._fail(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
        except Exception:
            log.exception("%s: the pass failed", self.name)
            return self._fail(_BUG)
        self._succeed(progress, now(), seconds, since)
        return 0 if progress is Progress.UNFINISHED else self.period

    def _succeed(self, progress: Progress, now: datetime, seconds: float, since: datetime | None) -> None:
        state, self._failures = self.state, 0
        # Imported votes may be older than the last pass that left none behind.
        passed_at = now if since is None else min(now, max(since, state.passed_at or since))
        state.passed_at, state.seconds, state.failure = passed_at, seconds, ""
        metrics.LOOP_PASSED.labels(self.name).set(passed_at.timestamp())
        metrics.LOOP_SECONDS.labels(self.name).set(seconds)
        if progress is not Progress.NONE:
            state.worked_at = now
        if progress is Progress.MADE:
            for loop in self.followers:
                loop.wake()

    def _fail(self, reason: str) -> float:
        """Note a failure, logged once for as long as it stays the same; returns the pause until the next pass."""
        metrics.LOOP_FAILURES.labels(self.name).inc()
        if reason not in (self.state.failure, _BUG):
            log.warning("%s: the pass failed: %s", self.name, reason)
        self.state.failure = reason
        self._failures += 1
        return min(self.period * 2 ** min(self._failures - 1, 20), max(self.period, self.max_pause))

    def wake(self) -> None:
        """Begin the next pass at once, or after the shortest pause; a loop that has failed waits its time."""
        if not self._failures:
            self._woken.set()

    async def _pause(self, seconds: float) -> None:
        rest = min(seconds, MIN_PAUSE_PASSES * self.state.seconds)
        await asyncio.sleep(rest)
        # `asyncio.wait_for` of Python 3.11 forgets that it was cancelled if the loop is woken at the same time.
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds - rest):
                await self._woken.wait()
        self._woken.clear()


async def run_loops(loops: Sequence[Loop], database: Database, now: Callable[[], datetime]) -> None:
    """Run loops side by side until cancelled, and report the states of those of this process to the database."""

    async def report() -> None:
        for loop in loops:
            loop.state.bound(now())
        if ours := {loop.name: (loop.period, loop.late_after, loop.state) for loop in loops if loop.is_ours}:
            await database.write(stored.report, ours, now())

    reporting = repeat(report, pause=REPORT_SECONDS, failure="the states of background loops are not stored")
    async with in_background(*(loop.run(now) for loop in loops), reporting):
        await asyncio.Event().wait()
