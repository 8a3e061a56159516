"""Finding out whether an open endpoint is back, by a call of our own: no voter's battle is spent on it."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from arena import calls
from arena.battles import verdicts
from arena.errors import ArenaError
from arena.health import Verdict
from arena.providers.errors import BadReply

if TYPE_CHECKING:
    from arena.battles.stage import Stage
    from arena.health import Call

log = logging.getLogger(__name__)

HELLO: Final = "Please say hello in one short sentence."
LOOK: Final = 1.0
"""Seconds between two looks at which probes are due."""


async def revive(stage: Stage) -> None:
    """Probe open endpoints until cancelled; a probe that hangs holds up no other."""
    probes: set[asyncio.Task[None]] = set()
    try:
        while True:
            for endpoint in stage.health.due():
                if call := stage.health.probe(endpoint):
                    task = asyncio.create_task(_probe(stage, endpoint, call))
                    probes.add(task)
                    task.add_done_callback(probes.discard)
            await asyncio.sleep(LOOK)
    finally:
        for probe in probes:
            probe.cancel()
        await asyncio.gather(*probes, return_exceptions=True)


async def _probe(stage: Stage, endpoint: int, call: Call) -> None:
    """Hear one whole answer. One that is not active now, or has no budget left, stays open until it has."""
    try:
        text = await calls.ask(stage.caller, endpoint, HELLO)
        if text is not None and not text.strip():
            raise BadReply("the answer is empty")  # noqa: TRY301 - judged as every other failure
    except ArenaError as error:
        log.warning("endpoint %d could not be probed: %s", endpoint, error)
    except Exception as error:  # noqa: BLE001 - whatever it was, the endpoint stays out
        verdicts.tell(call, error)
    else:
        if text is not None:
            log.info("endpoint %d answers again", endpoint)
            call.report(Verdict.WELL)
    finally:
        call.close()
