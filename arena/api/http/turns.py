"""Turns of requests at costly work that anybody may ask for: one at a time, and few that wait."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from arena.domain.errors import RETRY_SECONDS, Busy

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

MAX_WAITING: Final = 32
"""Most requests of a process that wait or work: of a set of 60,000 questions one takes a third of a second."""


class Turns:
    """Lets requests do costly work one after another, so that it takes one thread from those of everybody else."""

    def __init__(self, max_waiting: int = MAX_WAITING) -> None:
        self._max_waiting = max_waiting
        self._waiting = 0
        self._working = asyncio.Lock()

    @asynccontextmanager
    async def take(self) -> AsyncGenerator[None]:
        """Wait for a turn and hold it for the block.

        Raises:
            Busy: Too many wait already; carries the seconds to wait.
        """
        if self._waiting >= self._max_waiting:
            raise Busy(retry_after=RETRY_SECONDS)
        self._waiting += 1
        try:
            async with self._working:
                yield
        finally:
            self._waiting -= 1
