"""The loop of the log's sequencer; when the log cannot be continued it alone stops, and votes go on."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from arena.adapters.background import repeat
from arena.adapters.observability import metrics
from arena.adapters.store.leases import Superseded
from arena.domain.errors import KeyLost, KeysNotAccepted
from arena.usecases.transparency import log_status
from arena.usecases.transparency.sequencer import ROUND, Disagreement
from arena.usecases.transparency.unlogged import Search, UnloggedVotes

if TYPE_CHECKING:
    from datetime import datetime

    from arena.adapters.store.engine import Database
    from arena.serving.lead import Lead
    from arena.usecases.transparency.sequencer import Sequencer

log = logging.getLogger(__name__)

NAME: Final = "sequence"
"""The lease of the sequencer."""
PAUSE: Final = 1.0
"""Seconds between two checks for new leaves."""
STOPPED: Final = 10.0
"""Seconds between two attempts to continue a stopped log."""


async def watch(database: Database, now: datetime) -> None:
    """Set the metrics of the log."""
    view = await log_status.status(database, now)
    metrics.LOG_WAITING.set(view.waiting)
    metrics.LOG_UNLOGGED.set(view.unlogged)


async def sequence(sequencer: Sequencer, lead: Lead | None = None, *, pause: float = PAUSE) -> None:
    """Sequence until cancelled; with a `lead` only while it holds the lease.

    What stops the log is logged once, in one sentence.
    """
    search, reason = Search(), ""

    async def step() -> float | None:
        nonlocal reason
        if lead and not await lead.mine():
            sequencer.forget()
            return None
        try:
            more = await search.advance(sequencer.database, sequencer.now(), sequencer.guard)
            await watch(sequencer.database, sequencer.now())
            added = await sequencer.turn()
        except (Disagreement, UnloggedVotes, KeysNotAccepted, KeyLost) as error:
            metrics.LOG_STOPPED.set(1)
            if reason != (reason := _sentence(error)):
                log.error("%s", reason)  # noqa: TRY400 - one sentence for the operator, a traceback would hide it
            return STOPPED
        except Superseded:
            sequencer.forget()
            return 0
        metrics.LOG_STOPPED.set(0)
        reason = ""
        return 0 if more or added == ROUND else None

    await repeat(step, pause=pause, failure="the log is not sequenced now")


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
