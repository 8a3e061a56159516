"""Loops that watch endpoints, in the serving processes, since these have the providers and local models."""

from __future__ import annotations

import logging
import secrets
from random import SystemRandom
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.cli.context import now
from arena.domain.errors import Unavailable
from arena.serving.loops import Loop, Progress
from arena.usecases.endpoints import monitoring
from arena.usecases.people.webhooks import WebhookSender

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.adapters.store.engine import Database
    from arena.adapters.store.leases import Guard
    from arena.calls.caller import Caller
    from arena.usecases.work_lease import WorkLease
    from arena_providers.transport.http_client import HttpClient

log = logging.getLogger(__name__)

PERIOD: Final = 5.0
"""Seconds between two checks for endpoints whose calls fail, and for changes that webhooks are sent."""
PROBE_PERIOD: Final = 1.0
"""Seconds between two checks for endpoints that wait for their probe."""
WEBHOOKS: Final = "webhooks"
"""The lease of the process that calls webhooks."""
FINGERPRINTS_LATE: Final = 6 * 3_600.0
"""Seconds without a fingerprint after which the loop is late; one may take an hour, and each is due once a day."""


def fingerprints_loop(caller: Caller, *, period: float) -> Loop:
    """The loop that compares the fingerprint of each endpoint with that of its approval when it is due.

    Each endpoint is taken by one of the serving processes. While none can be taken, the reason is the loop's failure,
    unless it is a missing key, with which an endpoint is in no battle either.
    """
    checks = monitoring.FingerprintChecks(caller, np.random.default_rng())

    async def work(_guard: Guard) -> Progress:
        for name in await checks.check_due(secrets.token_hex(16)):
            log.warning("%s is suspended: a different model seems to answer", name)
        if checks.pauses and not checks.taken:
            name, reason = next(iter(checks.pauses.items()))
            more = f", and {len(checks.pauses) - 1} more have none" if len(checks.pauses) > 1 else ""
            raise Unavailable(f"{name} has no fingerprint now: {reason}{more}")
        return Progress.of(checks.taken)

    return Loop("fingerprints", work, period, max_pause=period, late_after=max(FINGERPRINTS_LATE, 10 * period))


def mute_endpoints_loop(caller: Caller, client: HttpClient, *, seconds: float) -> Loop:
    """The loop that suspends endpoints whose first calls all failed; `seconds` is the time limit of a probe.

    Each endpoint is suspended and reported by one of the serving processes.
    """
    search, rng = monitoring.FailureSearch(), SystemRandom()

    async def work(_guard: Guard) -> Progress:
        return _reported(await monitoring.suspend_mute(caller, client, search, rng, seconds))

    return Loop("mute_endpoints", work, PERIOD, late_after=10 * (PERIOD + seconds))


def unknown_finishes_loop(caller: Caller) -> Loop:
    """The loop that suspends endpoints whose answers end for unknown reasons, in one of the serving processes."""
    search = monitoring.FailureSearch()

    async def work(_guard: Guard) -> Progress:
        return _reported(await monitoring.suspend_unknown_finishes(caller.database, search, caller.now()))

    return Loop("unknown_finishes", work, PERIOD)


def _reported(suspended: Sequence[tuple[str, str]]) -> Progress:
    for name, reason in suspended:
        log.warning("%s is suspended: %s", name, reason)
    return Progress.of(suspended)


def probes_loop(prober: monitoring.Prober) -> Loop:
    """The loop that starts the probes of queued endpoints; each probe is a task of its own."""

    async def work(_guard: Guard) -> Progress:
        return Progress.of(await prober.start())

    return Loop("probes", work, PROBE_PERIOD, stand_by=prober.end)


def webhooks_loop(database: Database, client: HttpClient, key: bytes, lease: WorkLease | None = None) -> Loop:
    """The loop that sends changes of endpoints to webhooks; each address is called by a task of its own."""
    sender = WebhookSender(database, client, key, now)

    async def work(_guard: Guard) -> Progress:
        return Progress.of(await sender.send_due())

    return Loop("webhooks", work, PERIOD, lease, stand_by=sender.end)
