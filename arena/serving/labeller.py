"""The loop of the labeller that is an endpoint; it runs where endpoints can be called."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from arena.adapters.store.leases import Superseded, unguarded
from arena.domain.errors import ArenaError
from arena.usecases.labelling.endpoint_labels import MOST, label_votes

if TYPE_CHECKING:
    from arena.calls.single import Caller
    from arena.domain.labels.label_sets import LabelSource
    from arena.serving.lead import Lead

log = logging.getLogger(__name__)

NAME: Final = "label"
"""The lease of the labeller."""
PAUSE: Final = 60.0
"""Seconds between two looks for new votes."""


async def label(
    caller: Caller, source: LabelSource, terms: int, lead: Lead | None = None, *, pause: float = PAUSE
) -> None:
    """Have votes labelled until cancelled; with a `lead` only while it holds the lease. Why it stops is told once."""
    told = None
    while True:
        full = False
        try:
            if lead is None or await lead.mine():
                run = await label_votes(caller, source, terms, guard=lead.guard() if lead else unguarded)
                full, stopped = run.labelled == MOST, run.stopped
                if stopped and stopped != told:
                    log.warning("%s labels no more for now: %s", source.labeller, stopped)
                told = stopped
        except (ArenaError, Superseded) as error:
            log.warning("votes are not labelled now: %s", error)
        except Exception:
            log.exception("labelling votes failed")
        await asyncio.sleep(0 if full else pause)
