"""Saying which endpoints this process leaves alone, so that the operator sees it from everywhere."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from arena.errors import ArenaError
from arena.store import breakers

if TYPE_CHECKING:
    from arena.battles.stage import Stage

log = logging.getLogger(__name__)

LOOK: Final = 1.0
"""Seconds between two looks."""
AGAIN: Final = breakers.FRESH.total_seconds() / 3
"""Seconds after which what has not changed is said again; where every endpoint is well, nothing is ever said."""


async def tell_breakers(stage: Stage) -> None:
    """Write every change of this process's breakers down until cancelled, and then that it has none."""
    process, clock = token_hex(8), asyncio.get_running_loop().time
    said: set[int] = set()
    when = clock()
    try:
        while True:
            opened = stage.health.opened()
            if opened.keys() != said or (said and clock() - when >= AGAIN):
                try:
                    await _tell(stage, process, opened)
                    said, when = set(opened), clock()
                except ArenaError as error:
                    log.warning("nobody else learns now which endpoints are left alone: %s", error)
            await asyncio.sleep(LOOK)
    finally:
        if said:
            await _tell(stage, process, {})


async def _tell(stage: Stage, process: str, opened: dict[int, float]) -> None:
    now = stage.now()
    since = {number: now - timedelta(seconds=seconds) for number, seconds in opened.items()}
    await stage.database.write(breakers.tell, process, since, now)
