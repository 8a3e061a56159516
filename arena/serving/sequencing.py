"""The loop of the log's sequencer; when the log cannot be continued it alone stops, and votes go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.adapters.observability import metrics
from arena.domain.errors import KeyLost, KeysNotAccepted, Unavailable
from arena.serving.loops import Loop, Progress
from arena.usecases.transparency import log_status
from arena.usecases.transparency.sequencer import ROUND, Disagreement
from arena.usecases.transparency.unlogged import Search, UnloggedVotes

if TYPE_CHECKING:
    from datetime import datetime

    from arena.adapters.store.engine import Database
    from arena.adapters.store.leases import Guard
    from arena.usecases.transparency.sequencer import Sequencer
    from arena.usecases.work_lease import WorkLease

NAME: Final = "sequence"
"""The lease of the sequencer."""
PERIOD: Final = 1.0
"""Seconds between two checks for new leaves."""
STOPPED: Final = 10.0
"""Largest number of seconds between two attempts to continue a stopped log."""


async def watch(database: Database, now: datetime) -> None:
    """Set the metrics of the log."""
    view = await log_status.status(database, now)
    metrics.LOG_WAITING.set(view.waiting)
    metrics.LOG_UNLOGGED.set(view.unlogged)


def sequencer_loop(sequencer: Sequencer, lease: WorkLease | None = None) -> Loop:
    """The loop that sequences; what stops the log is the failure of its passes, in one sentence."""
    search = Search()

    async def work(guard: Guard) -> Progress:
        sequencer.guard = guard
        try:
            more = await search.advance(sequencer.database, sequencer.now(), guard)
            await watch(sequencer.database, sequencer.now())
            added = await sequencer.turn()
        except (Disagreement, UnloggedVotes, KeysNotAccepted, KeyLost) as error:
            metrics.LOG_STOPPED.set(1)
            raise Unavailable(_sentence(error)) from error
        metrics.LOG_STOPPED.set(0)
        return Progress.UNFINISHED if more or added == ROUND else Progress.of(added)

    async def forget() -> None:
        sequencer.forget()

    return Loop("sequencer", work, PERIOD, lease, max_pause=STOPPED, stand_by=forget)


def _sentence(error: Exception) -> str:
    if isinstance(error, Disagreement):
        return (
            f"The transparency log has stopped, while votes go on: {error} If a backup was restored, "
            "`arena log restart --why TEXT` begins a new log that says so."
        )
    if isinstance(error, UnloggedVotes):
        return (
            f"The transparency log has stopped, while votes go on: {error} in the database without a leaf, so not cast "
            "here. They never count. Find out who wrote them; `arena log exclude --why TEXT` says so in the log, and "
            "it goes on."
        )
    if isinstance(error, KeysNotAccepted):
        return "The transparency log has no key: set ARENA_SECRET_KEY to what `arena secrets new` prints, and restart."
    return f"The transparency log cannot be signed: {error}."
