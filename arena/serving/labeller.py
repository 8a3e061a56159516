"""The loop in which an endpoint labels votes, in processes that can call endpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.domain.errors import Unavailable
from arena.serving.loops import Loop, Progress
from arena.usecases.labelling.endpoint_labels import MAX_VOTES, label_votes

if TYPE_CHECKING:
    from arena.adapters.store.leases import Guard
    from arena.calls.caller import Caller
    from arena.domain.labels.label_sets import LabelSource
    from arena.usecases.work_lease import WorkLease

NAME: Final = "label"
"""The lease of the labeller."""
PERIOD: Final = 60.0
"""Seconds between two checks for new votes."""
MAX_PAUSE: Final = 3_600.0
"""Largest number of seconds until the next calls, after passes that stopped before they labelled a vote."""


def labeller_loop(caller: Caller, source: LabelSource, terms: int, lease: WorkLease | None = None) -> Loop:
    """The loop that has votes labelled; a pass that stops before it has labelled one fails with the reason."""
    done = 0

    async def work(guard: Guard) -> Progress:
        nonlocal done
        run = await label_votes(caller, source, terms, after=done, guard=guard)
        done = run.done
        if run.stopped and not run.labelled:
            raise Unavailable(f"{source.labeller} is paused: {run.stopped}")
        return Progress.UNFINISHED if run.labelled == MAX_VOTES else Progress.of(run.labelled)

    return Loop("labeller", work, PERIOD, lease, max_pause=MAX_PAUSE)
