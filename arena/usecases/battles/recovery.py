"""Recovery of endpoints whose breaker is open, by probes of our own: no voter's battle is spent on them."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from arena.adapters.background import cancel, repeat
from arena.adapters.breaker import CallVerdict
from arena.adapters.providers.errors import BadReply
from arena.adapters.store.conversations import KINDS
from arena.calls.caller import ask_once
from arena.domain.errors import ArenaError
from arena.usecases.battles import call_verdict

if TYPE_CHECKING:
    from arena.adapters.breaker import Call
    from arena.adapters.store.budgets import Share
    from arena.usecases.battles.runtime import Runtime

log = logging.getLogger(__name__)

HELLO: Final = "Please say hello in one short sentence."
LOOK: Final = 1.0
"""Seconds between two checks for due probes."""


async def recover(runtime: Runtime) -> None:
    """Probe open endpoints until cancelled; a probe that hangs holds up no other."""
    probes: set[asyncio.Task[None]] = set()

    async def step() -> None:
        for kind, breakers in ((kind, runtime.breakers_of(kind)) for kind in KINDS):
            for endpoint in breakers.due():
                if call := breakers.probe(endpoint):
                    task = asyncio.create_task(_probe(runtime, endpoint, call, kind.share))
                    probes.add(task)
                    task.add_done_callback(probes.discard)

    try:
        await repeat(step, pause=LOOK, failure="endpoints cannot be probed now")
    finally:
        await cancel(list(probes))


async def _probe(runtime: Runtime, endpoint: int, call: Call, share: Share) -> None:
    """Ask for one whole answer; without budget, or while the endpoint is not active, its breaker stays open."""
    try:
        text = await ask_once(runtime.caller, endpoint, HELLO, share)
        if text is not None and not text.strip():
            raise BadReply("the answer is empty")  # noqa: TRY301 - classified as every other failure
    except ArenaError as error:
        log.warning("endpoint %d could not be probed: %s", endpoint, error)
    except Exception as error:  # noqa: BLE001 - any failure keeps the breaker open
        call_verdict.tell(call, error)
    else:
        if text is not None:
            log.info("endpoint %d answers again", endpoint)
            call.report(CallVerdict.WELL)
    finally:
        call.close()
