"""The clock of one running turn: its answers are read just before each frame is made of them, without a task."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from arena.adapters.observability import metrics

if TYPE_CHECKING:
    from collections.abc import Callable


class FrameClock:
    """Beats once per frame; a late beat is not made up for."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._due = self.start = self._loop.time()
        self._polls: dict[asyncio.Future[None], Callable[[], bool]] = {}

    async def poll(self, poll: Callable[[], bool]) -> None:
        """Call `poll` at every beat until it returns true; raises its error."""
        over = self._loop.create_future()
        self._polls[over] = poll
        try:
            await over
        finally:
            del self._polls[over]

    async def beat(self, interval: float) -> float:
        """Wait until the next frame is due, `interval` seconds after the last, and all answers have been read.

        Returns:
            Seconds since the start of the turn.
        """
        self._due = max(self._due + interval, self._loop.time())
        struck = self._loop.create_future()
        timer = self._loop.call_at(self._due, self._strike, struck)
        try:
            await struck
        finally:
            timer.cancel()
        return self._loop.time() - self.start

    def _strike(self, struck: asyncio.Future[None]) -> None:
        metrics.FRAME_LATE.observe(self._loop.time() - self._due)
        for over, poll in self._polls.items():
            if not over.done():
                _call(poll, over)
        # Last, because the loop goes on with those first whose answers have ended.
        if not struck.done():
            struck.set_result(None)


def _call(poll: Callable[[], bool], over: asyncio.Future[None]) -> None:
    try:
        ended = poll()
    except Exception as error:  # noqa: BLE001 - raised to whoever waits
        over.set_exception(error)
    else:
        if ended:
            over.set_result(None)
