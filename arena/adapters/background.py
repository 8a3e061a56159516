"""Work in the background: steps that are repeated until they are cancelled, and tasks that end with a block."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from arena.domain.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine

log = logging.getLogger(__name__)


async def repeat(step: Callable[[], Awaitable[float | None]], *, pause: float, failure: str) -> None:
    """Run `step` every `pause` seconds until cancelled; a step that returns seconds is followed after these instead.

    A step that fails is logged as `failure`, an `ArenaError` with its sentence and any other error with its traceback,
    and the next step tries again.
    """
    while True:
        delay = None
        try:
            delay = await step()
        except ArenaError as error:
            log.warning("%s: %s", failure, error)
        except Exception:
            log.exception("%s", failure)
        await asyncio.sleep(pause if delay is None else delay)


@asynccontextmanager
async def in_background(*work: Coroutine[None, None, None]) -> AsyncGenerator[None]:
    """Run coroutines beside the block; at its end they are cancelled and awaited."""
    tasks = [asyncio.create_task(coroutine) for coroutine in work]
    try:
        yield
    finally:
        await cancel(tasks)


async def cancel(tasks: list[asyncio.Task[None]]) -> None:
    """Cancel tasks and wait until they have ended, whatever they raise."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
