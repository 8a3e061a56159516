"""Circuit breakers of this process: verdicts on failed calls, probes of open endpoints, and reports to operators."""

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
    BadReply,
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
PAUSE: Final = 1.0
"""Seconds between two checks for due probes, and for changes to report."""
AGAIN: Final = endpoint_states.FRESH.total_seconds() / 3
"""Seconds after which an unchanged report is repeated; without open breakers nothing is written."""


def report_failure(call: Call, error: Exception) -> None:
    """Report a failed call to the endpoint's circuit breaker."""
    call.report(_verdict(error), rest=error.retry_after if isinstance(error, RateLimitedUpstream) else None)


def is_transient(error: Exception) -> bool:
    """Whether an immediate retry may succeed; after a Retry-After it may not."""
    if isinstance(error, TimedOut):
        return error.phase == "connect"
    return isinstance(error, EndpointUnavailable) and not isinstance(error, AddressRefused)


def _verdict(error: Exception) -> CallVerdict:
    """Refused or too long conversations and errors of the arena do not count against the endpoint."""
    match error:
        case BadCredentials() | UnknownDialect():
            return CallVerdict.HOPELESS
        case RequestRefused() | ContextTooLong():
            return CallVerdict.NOTHING
        case ProviderError():
            return CallVerdict.FAULT
        case _:
            return CallVerdict.NOTHING


async def recover(runtime: Runtime) -> None:
    """Probe open endpoints until cancelled, so that no voter's battle is spent on them.

    A probe that hangs holds up no other.
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
        await repeat(step, pause=PAUSE, failure="endpoints cannot be probed now")
    finally:
        await cancel(list(probes))


async def _probe(runtime: Runtime, endpoint: int, call: Call, share: Share) -> None:
    """Ask for one whole answer; without budget, or while the endpoint is not active, its breaker stays open."""
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
        elif text is not None:
            report_failure(call, BadReply("the answer is empty"))
    finally:
        call.close()


async def report_breakers(runtime: Runtime) -> None:
    """Write every change of this process's breakers for operators until cancelled, and then that none is open."""
    await asyncio.gather(*(_report_kind(runtime, kind) for kind in KINDS))


async def _report_kind(runtime: Runtime, kind: AnyKind) -> None:
    process, clock = token_hex(8), asyncio.get_running_loop().time
    reported: set[int] = set()
    when = clock()

    async def step() -> None:
        nonlocal reported, when
        opened = runtime.breakers_of(kind).opened()
        if opened.keys() != reported or (reported and clock() - when >= AGAIN):
            await _write_report(runtime, kind, process, opened)
            reported, when = set(opened), clock()

    try:
        await repeat(step, pause=PAUSE, failure="open circuit breakers cannot be reported")
    finally:
        if reported:
            await _write_report(runtime, kind, process, {})


async def _write_report(runtime: Runtime, kind: AnyKind, process: str, opened: dict[int, float]) -> None:
    now = runtime.now()
    since = {number: now - timedelta(seconds=seconds) for number, seconds in opened.items()}
    await runtime.database.write(endpoint_states.report_breakers, process, since, now, chats=kind is CHATS)
