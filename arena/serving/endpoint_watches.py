"""Loops that watch endpoints, in the serving processes, since these have the providers and local models."""

from __future__ import annotations

import logging
import secrets
from random import SystemRandom
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.adapters.background import repeat
from arena.cli.context import now
from arena.usecases.endpoints import monitoring
from arena.usecases.people.webhooks import WebhookSender

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database
    from arena.calls.caller import Caller
    from arena.serving.lead import Lead
    from arena_providers.transport.http_client import HttpClient

log = logging.getLogger(__name__)

NEWCOMERS: Final = 5.0
"""Seconds between two checks for endpoints that failed all of their first calls."""
TELLING: Final = 5.0
"""Seconds between two checks for changes that webhooks are sent."""
WEBHOOKS: Final = "webhooks"
"""The lease of the process that calls webhooks."""


async def watch_models(caller: Caller, *, pause: float) -> None:
    """Compare the fingerprint of each endpoint with that of its approval when it is due, until cancelled.

    Each endpoint is taken by one of the serving processes.
    """
    rng = np.random.default_rng()

    async def step() -> None:
        for name in await monitoring.check_due(caller, rng, secrets.token_hex(16)):
            log.warning("%s is suspended: a different model seems to answer", name)

    await repeat(step, pause=pause, failure="fingerprints cannot be taken now")


async def watch_newcomers(caller: Caller, client: HttpClient, *, seconds: float, pause: float = NEWCOMERS) -> None:
    """Suspend endpoints whose first calls all failed, or whose answers end for unknown reasons, until cancelled.

    `seconds` is the time limit of a probe.

    Each endpoint is suspended and reported by one of the serving processes.
    """
    search = monitoring.MuteSearch()
    rng = SystemRandom()

    async def step() -> None:
        for name, reason in await monitoring.suspend_mute(caller, client, search, rng, seconds):
            log.warning("%s is suspended: %s", name, reason)
        for name, reason in await monitoring.suspend_unknown_finishes(caller.database, caller.now()):
            log.warning("%s is suspended: %s", name, reason)

    await repeat(step, pause=pause, failure="first calls cannot be checked now")


async def tell_owners(
    database: Database, client: HttpClient, key: bytes, lead: Lead | None = None, *, pause: float = TELLING
) -> None:
    """Send changes of endpoints to webhooks until cancelled, with a `lead` only while it holds the lease."""
    sender = WebhookSender(database, client, key, now)

    async def step() -> None:
        if lead is None or await lead.mine():
            await sender.send_due()
        else:
            await sender.end()

    try:
        await repeat(step, pause=pause, failure="owners cannot be told of changes now")
    finally:
        await sender.end()
