"""Reports of this process's open circuit breakers, in the database for operators to read from any process."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from arena.adapters.background import repeat
from arena.adapters.store import endpoint_states
from arena.adapters.store.conversations import CHATS, KINDS

if TYPE_CHECKING:
    from arena.adapters.store.conversations import AnyKind
    from arena.usecases.battles.runtime import Runtime

log = logging.getLogger(__name__)

LOOK: Final = 1.0
"""Seconds between two checks."""
AGAIN: Final = endpoint_states.FRESH.total_seconds() / 3
"""Seconds after which an unchanged report is repeated; without open breakers nothing is written."""


async def report_breakers(runtime: Runtime) -> None:
    """Report every change of this process's breakers until cancelled, and then that none is open."""
    await asyncio.gather(*(_tell_of(runtime, kind) for kind in KINDS))


async def _tell_of(runtime: Runtime, kind: AnyKind) -> None:
    process, clock = token_hex(8), asyncio.get_running_loop().time
    said: set[int] = set()
    when = clock()

    async def step() -> None:
        nonlocal said, when
        opened = runtime.breakers_of(kind).opened()
        if opened.keys() != said or (said and clock() - when >= AGAIN):
            await _tell(runtime, kind, process, opened)
            said, when = set(opened), clock()

    try:
        await repeat(step, pause=LOOK, failure="open circuit breakers cannot be reported")
    finally:
        if said:
            await _tell(runtime, kind, process, {})


async def _tell(runtime: Runtime, kind: AnyKind, process: str, opened: dict[int, float]) -> None:
    now = runtime.now()
    since = {number: now - timedelta(seconds=seconds) for number, seconds in opened.items()}
    await runtime.database.write(endpoint_states.report_breakers, process, since, now, chats=kind is CHATS)
