"""Background work: steps repeated until they are cancelled, and tasks that run as long as a block."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from arena.domain.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence

log = logging.getLogger(__name__)


async def repeat(step: Callable[[], Awaitable[float | None]], *, pause: float, failure: str) -> None:
    """Run `step` until cancelled, with a pause of `pause` seconds after each, or of those that the step returns.

    The error of a step is logged as `failure`, an `ArenaError` with its sentence and any other with its traceback; the
    next step runs all the same.
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
    """Run coroutines during the block; at its end they are cancelled and awaited."""
    tasks = [asyncio.create_task(coroutine) for coroutine in work]
    try:
        yield
    finally:
        await cancel(tasks)


async def cancel(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait for their ends; their errors are ignored."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
