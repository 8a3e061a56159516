"""A queue of calls of one endpoint, several at a time, which stops by itself whatever goes wrong."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final, TypeVar

from arena.calls.capped_calls import NO_CALL, why_stopped
from arena.domain.errors import Conflict, Invalid

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator

T = TypeVar("T")
log = logging.getLogger(__name__)

MAX_ERRORS: Final = 3
"""Unexpected errors without a success in between after which no further call is made."""
_FINAL: Final = (*NO_CALL, Conflict, Invalid)
"""Errors that each further call would meet too."""


async def ask_each(items: Iterable[T], ask: Callable[[T], Awaitable[None]], *, at_once: int) -> str:
    """Call `ask` with each item, `at_once` at a time; returns why it stopped early, or an empty text.

    It stops at the first error that says that there is nothing to call, and at the third of any other kind without a
    success in between; calls that run then are awaited. An item with an error of another kind is left out. Cancelling
    ends the calls that run.
    """
    queue = _Queue(iter(items), ask)
    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(queue.work())
    return queue.reason


class _Queue:
    def __init__(self, items: Iterator[T], ask: Callable[[T], Awaitable[None]]) -> None:
        self.reason = ""
        self._items, self._ask, self._errors, self._stopped = items, ask, 0, False

    async def work(self) -> None:
        for item in self._items:
            if self._stopped:
                return
            try:
                await self._ask(item)
            except _FINAL as error:
                self.reason, self._stopped = why_stopped(error), True
            except Exception as error:
                log.exception("a call, or the storing of its answer, failed")
                self._errors += 1
                self.reason, self._stopped = self.reason if self._stopped else why_stopped(error), self._is_spent()
            else:
                self._errors = 0

    def _is_spent(self) -> bool:
        return self._stopped or self._errors >= MAX_ERRORS
