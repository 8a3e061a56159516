"""Batching of concurrent calls: those that arrive during a batch share the next one."""

from __future__ import annotations

import asyncio
from collections import deque
from contextvars import Context
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from arena.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

GROUP: Final = 256
"""Most items of one batch."""
ROUNDS: Final = 3
"""Most batches at once, such as one that reads, one that computes, and one that waits for its flush."""

I = TypeVar("I")  # noqa: E741 - input
O = TypeVar("O")  # noqa: E741 - output


class Batcher(Generic[I, O]):
    """Batches one kind of work on one event loop: `work` maps the items of a batch to as many results, in order.

    A result that is an exception is raised to its caller. If `work` raises, it runs again for each item alone; but if
    the store is unavailable, every caller gets that error. Cancelling a caller does not stop a batch.
    """

    def __init__(self, work: Callable[[Sequence[I]], Awaitable[Sequence[O | Exception]]]) -> None:
        self._work = work
        self._waiting: deque[tuple[I, asyncio.Future[O]]] = deque()
        self._rounds: set[asyncio.Task[None]] = set()
        self._gathering = False

    @property
    def waiting(self) -> int:
        """Number of items that are in no batch yet."""
        return len(self._waiting)

    async def __call__(self, item: I) -> O:
        """The result for `item` in the next batch."""
        future: asyncio.Future[O] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        self._begin()
        return await future

    def _begin(self) -> None:
        if not self._waiting or self._gathering or len(self._rounds) == ROUNDS:
            return
        self._gathering = True
        # A batch serves several callers, so it has no caller's context (such as the span).
        task = asyncio.get_running_loop().create_task(self._round(), context=Context())
        self._rounds.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._rounds.discard(task)
        self._begin()

    async def _round(self) -> None:
        # Calls in the same iteration of the loop join this batch.
        await asyncio.sleep(0)
        batch = [self._waiting.popleft() for _ in range(min(GROUP, len(self._waiting)))]
        self._gathering = False
        self._begin()
        try:
            results = await self._results([item for item, _ in batch])
        except BaseException:
            for _, future in batch:
                future.cancel()
            raise
        for (_, future), result in zip(batch, results, strict=True):
            if future.done():
                continue
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)

    async def _results(self, items: Sequence[I]) -> Sequence[O | Exception]:
        try:
            return await self._work(items)
        except StoreUnavailable as error:
            return [error] * len(items)
        except Exception as error:  # noqa: BLE001 - raised to the caller
            if len(items) == 1:
                return [error]
            return [result for item in items for result in await self._results([item])]
