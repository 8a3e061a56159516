"""The loop in which an endpoint labels votes, in processes that can call endpoints."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from arena.adapters.background import repeat
from arena.adapters.store.leases import Superseded, unguarded
from arena.usecases.labelling.endpoint_labels import MOST, label_votes

if TYPE_CHECKING:
    from arena.calls.caller import Caller
    from arena.domain.labels.label_sets import LabelSource
    from arena.serving.lead import Lead

log = logging.getLogger(__name__)

NAME: Final = "label"
"""The lease of the labeller."""
PAUSE: Final = 60.0
"""Seconds between two checks for new votes."""
REST: Final = 3_600.0
"""Seconds until the next calls after `MAX_STOPS` runs in a row that stopped before they labelled a vote."""
MAX_STOPS: Final = 3


async def label(
    caller: Caller, source: LabelSource, terms: int, lead: Lead | None = None, *, pause: float = PAUSE
) -> None:
    """Have votes labelled until cancelled; with a `lead` only while it holds the lease. A stop is logged once."""
    reason, stops = "", 0

    async def step() -> float | None:
        nonlocal reason, stops
        if lead and not await lead.mine():
            return None
        try:
            run = await label_votes(caller, source, terms, guard=lead.guard() if lead else unguarded)
        except Superseded:
            return None
        if run.stopped and run.stopped != reason:
            log.warning("%s labels no more for now: %s", source.labeller, run.stopped)
        reason, stops = run.stopped, stops + 1 if run.stopped and not run.labelled else 0
        if stops >= MAX_STOPS:
            log.warning("%s is asked again in an hour, after %d stops: %s", source.labeller, stops, run.stopped)
            return REST
        return 0 if run.labelled == MOST else None

    await repeat(step, pause=pause, failure="votes are not labelled now")
