"""The clock of one running turn, which polls the answers just before each frame instead of a task for each answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from arena.adapters.observability import metrics

if TYPE_CHECKING:
    from collections.abc import Callable


class FrameClock:
    """Beats once per frame; after a late beat the next one comes a whole interval later."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._due = self.start = self._loop.time()
        self._polls: dict[asyncio.Future[None], Callable[[], bool]] = {}

    async def poll(self, poll: Callable[[], bool]) -> None:
        """Call `poll` at every beat until it returns true; raises its error."""
        end = self._loop.create_future()
        self._polls[end] = poll
        try:
            await end
        finally:
            del self._polls[end]

    async def beat(self, interval: float) -> float:
        """Wait until the next frame is due, `interval` seconds after the last, and all answers have been polled.

        Returns:
            Seconds since the start of the turn.
        """
        self._due = max(self._due + interval, self._loop.time())
        frame = self._loop.create_future()
        timer = self._loop.call_at(self._due, self._tick, frame)
        try:
            await frame
        finally:
            timer.cancel()
        return self._loop.time() - self.start

    def _tick(self, frame: asyncio.Future[None]) -> None:
        metrics.FRAME_LATE.observe(self._loop.time() - self._due)
        for end, poll in self._polls.items():
            if not end.done():
                _call(poll, end)
        # Last, so that the loop runs the receivers of answers that have ended before the frame.
        if not frame.done():
            frame.set_result(None)


def _call(poll: Callable[[], bool], end: asyncio.Future[None]) -> None:
    try:
        has_ended = poll()
    except Exception as error:  # noqa: BLE001 - raised in the coroutine that awaits the future
        end.set_exception(error)
    else:
        if has_ended:
            end.set_result(None)
