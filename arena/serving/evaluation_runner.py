"""The loop that carries on runs of evaluations, where endpoints can be called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.adapters.background import repeat
from arena.evaluations.usecases.runs import Runs

if TYPE_CHECKING:
    from arena.calls.caller import Caller
    from arena.serving.lead import Lead
    from arena_providers.transport.http_client import HttpClient

NAME: Final = "evaluate"
"""The lease of the runner."""
PAUSE: Final = 0.5
"""Seconds between two checks for runs that were requested or cancelled."""


async def run_evaluations(
    caller: Caller, client: HttpClient, lead: Lead | None = None, *, pause: float = PAUSE
) -> None:
    """Carry on runs until cancelled; with a `lead` only while it holds the lease."""
    runs = Runs(caller, client)

    async def step() -> None:
        if lead and not await lead.mine():
            await runs.end()
        else:
            await runs.look()

    try:
        await repeat(step, pause=pause, failure="evaluations are not run now")
    finally:
        await runs.end()
