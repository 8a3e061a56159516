"""The loop of the log's sequencer; when the log cannot be continued it alone stops, and votes go on."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from arena.adapters.observability import metrics
from arena.adapters.store.leases import Superseded
from arena.domain.errors import ArenaError, KeyLost, KeysNotAccepted
from arena.usecases.transparency.legacy import log_earlier
from arena.usecases.transparency.promises import watch
from arena.usecases.transparency.sequencer import ROUND, Disagreement

if TYPE_CHECKING:
    from arena.serving.lead import Lead
    from arena.usecases.transparency.sequencer import Sequencer

log = logging.getLogger(__name__)

NAME: Final = "sequence"
"""The lease of the sequencer."""
PAUSE: Final = 1.0
"""Seconds between two looks for new leaves."""
STOPPED: Final = 10.0
"""Seconds between two looks whether a stopped log can go on."""


async def sequence(sequencer: Sequencer, lead: Lead | None = None, *, pause: float = PAUSE) -> None:
    """Sequence until cancelled; with a `lead` only while it holds the lease.

    Votes from before the log come first and in pieces. What stops the log is told once, in one sentence.
    """
    earlier, told = 0, ""
    while True:
        try:
            if lead and not await lead.mine():
                sequencer.forget()
                await asyncio.sleep(pause)
                continue
            await watch(sequencer.database, sequencer.now())
            reached = await log_earlier(sequencer.database, earlier, sequencer.guard)
            added = await sequencer.turn()
            busy, earlier = reached - earlier >= ROUND // 32 or added == ROUND, reached
            metrics.LOG_STOPPED.set(0)
            told = ""
            await asyncio.sleep(0 if busy else pause)
        except (Disagreement, KeysNotAccepted, KeyLost) as error:
            metrics.LOG_STOPPED.set(1)
            if told != (told := _sentence(error)):
                log.error("%s", told)  # noqa: TRY400 - one sentence for the operator, a traceback would hide it
            await asyncio.sleep(STOPPED)
        except Superseded:
            sequencer.forget()
        except ArenaError as error:
            log.warning("the log is not sequenced now: %s", error)
            await asyncio.sleep(pause)
        except Exception:
            log.exception("sequencing the log failed")
            await asyncio.sleep(STOPPED)


def _sentence(error: Exception) -> str:
    if isinstance(error, Disagreement):
        return (
            f"The transparency log has stopped, while votes go on: {error} If a backup was restored, "
            "`arena log restart` begins a new log that says so."
        )
    if isinstance(error, KeysNotAccepted):
        return "The transparency log has no key: set ARENA_SECRET_KEY to what `arena secrets new` prints, and restart."
    return f"The transparency log cannot be signed: {error}."
