"""Circuit breakers of this process: verdicts on failed calls, probes of failing endpoints, reports to operators."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from arena.adapters.background import cancel, repeat
from arena.adapters.breaker import CallVerdict
from arena.adapters.store import endpoint_states
from arena.adapters.store.conversations import CHATS, KINDS
from arena.calls.caller import ask_once
from arena.domain.errors import ArenaError
from arena_providers.errors import (
    AddressRefused,
    BadCredentials,
    ContextTooLong,
    EndpointUnavailable,
    ProviderError,
    RateLimitedUpstream,
    RequestRefused,
    TimedOut,
    UnknownDialect,
)

if TYPE_CHECKING:
    from arena.adapters.breaker import Call
    from arena.adapters.store.budgets import Share
    from arena.adapters.store.conversations import AnyKind
    from arena.usecases.battles.runtime import Runtime

log = logging.getLogger(__name__)

HELLO: Final = "Please say hello in one short sentence."
CHECK_SECONDS: Final = 1.0
"""Seconds between two checks for due probes, and for changes to report."""
REPEAT_AFTER: Final = endpoint_states.FRESH.total_seconds() / 3
"""Seconds after which an unchanged report of open breakers is written again, before it counts as stale."""


def report_failure(call: Call, error: Exception) -> None:
    """Report a failed call to the endpoint's circuit breaker."""
    call.report(_verdict(error), rest=error.retry_after if isinstance(error, RateLimitedUpstream) else None)


def is_transient(error: Exception) -> bool:
    """Whether an immediate retry may succeed: the endpoint was not reached, or had a short failure."""
    if isinstance(error, TimedOut):
        return error.phase == "connect"
    return isinstance(error, EndpointUnavailable) and not isinstance(error, AddressRefused)


def _verdict(error: Exception) -> CallVerdict:
    """The verdict on an error; refusals, too long conversations and faults of the arena do not count as failures."""
    match error:
        case BadCredentials() | UnknownDialect() | RequestRefused(fault="no_credit"):
            return CallVerdict.HOPELESS
        case RequestRefused() | ContextTooLong():
            return CallVerdict.NOTHING
        case ProviderError():
            return CallVerdict.FAULT
        case _:
            return CallVerdict.NOTHING


async def recover(runtime: Runtime) -> None:
    """Probe endpoints with an open breaker until cancelled, so that no voter's battle has to try them.

    Each probe is a task, so that one that hangs delays no other.
    """
    probes: set[asyncio.Task[None]] = set()

    async def step() -> None:
        for kind in KINDS:
            breakers = runtime.breakers_of(kind)
            for endpoint in breakers.due():
                if call := breakers.probe(endpoint):
                    task = asyncio.create_task(_probe(runtime, endpoint, call, kind.share))
                    probes.add(task)
                    task.add_done_callback(probes.discard)

    try:
        await repeat(step, pause=CHECK_SECONDS, failure="endpoints cannot be probed now")
    finally:
        await cancel(list(probes))


async def _probe(runtime: Runtime, endpoint: int, call: Call, share: Share) -> None:
    """Ask for one answer; the breaker stays open after a failure or an empty one, or without activity or budget."""
    try:
        text = await ask_once(runtime.caller, endpoint, HELLO, share)
    except ArenaError as error:
        log.warning("endpoint %d could not be probed: %s", endpoint, error)
    except Exception as error:  # noqa: BLE001 - any failure keeps the breaker open
        report_failure(call, error)
    else:
        if text and text.strip():
            log.info("endpoint %d answers again", endpoint)
            call.report(CallVerdict.WELL)
    finally:
        call.close()


async def report_breakers(runtime: Runtime) -> None:
    """Write changes of this process's breakers for operators until cancelled, and then that none is open."""
    await asyncio.gather(*(_report_kind(runtime, kind) for kind in KINDS))


async def _report_kind(runtime: Runtime, kind: AnyKind) -> None:
    process, clock = token_hex(8), asyncio.get_running_loop().time
    last_report: set[int] = set()
    reported_at = clock()

    async def step() -> None:
        nonlocal last_report, reported_at
        durations = runtime.breakers_of(kind).opened()
        if durations.keys() != last_report or (last_report and clock() - reported_at >= REPEAT_AFTER):
            await _write_report(runtime, kind, process, durations)
            last_report, reported_at = set(durations), clock()

    try:
        await repeat(step, pause=CHECK_SECONDS, failure="open circuit breakers cannot be reported")
    finally:
        if last_report:
            await _write_report(runtime, kind, process, {})


async def _write_report(runtime: Runtime, kind: AnyKind, process: str, durations: dict[int, float]) -> None:
    """Write which breakers are open; `durations` has the seconds for which each has been, by endpoint."""
    now = runtime.now()
    starts = {number: now - timedelta(seconds=seconds) for number, seconds in durations.items()}
    await runtime.database.write(endpoint_states.report_breakers, process, starts, now, chats=kind is CHATS)
