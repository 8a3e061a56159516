"""The loop that carries on runs of evaluations, where endpoints can be called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.evaluations.usecases.runs import Runs
from arena.serving.loops import Loop, Progress

if TYPE_CHECKING:
    from arena.adapters.store.leases import Guard
    from arena.calls.caller import Caller
    from arena.usecases.work_lease import WorkLease
    from arena_providers.transport.http_client import HttpClient

NAME: Final = "evaluate"
"""The lease of the runner."""
PERIOD: Final = 0.5
"""Seconds between two checks for runs that were requested or cancelled."""


def evaluations_loop(caller: Caller, client: HttpClient, lease: WorkLease | None = None) -> Loop:
    """The loop that starts and cancels runs as they are requested; each run is a task of its own."""
    runs = Runs(caller, client)

    async def work(_guard: Guard) -> Progress:
        return Progress.of(await runs.look())

    return Loop("evaluations", work, PERIOD, lease, stand_by=runs.end)
