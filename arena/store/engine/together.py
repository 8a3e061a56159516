"""Work that costs less when it is done for many at once: who asks while a round is under way shares the next one."""

from __future__ import annotations

import asyncio
from collections import deque
from contextvars import Context
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from arena.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

GROUP: Final = 256
"""Most items of one round."""
ROUNDS: Final = 3
"""How many rounds may be under way: one reads, one is judged, and one waits for its flush."""

I = TypeVar("I")  # noqa: E741 - an item
O = TypeVar("O")  # noqa: E741 - and what comes out


class Together(Generic[I, O]):
    """One kind of work on one event loop: `work` takes the items of a round and gives as many results, in their order.

    A result that is an error is raised to whoever asked for it. An error that `work` raises has one of several items as
    its cause, so each is done alone then; but if nothing can be stored, that is everybody's error. A caller who leaves
    does not stop a round.
    """

    def __init__(self, work: Callable[[Sequence[I]], Awaitable[Sequence[O | Exception]]]) -> None:
        self._work = work
        self._waiting: deque[tuple[I, asyncio.Future[O]]] = deque()
        self._rounds: set[asyncio.Task[None]] = set()
        self._gathering = False

    @property
    def waiting(self) -> int:
        """Items that no round has taken yet."""
        return len(self._waiting)

    async def __call__(self, item: I) -> O:
        """Have `item` done in the next round."""
        future: asyncio.Future[O] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        self._begin()
        return await future

    def _begin(self) -> None:
        if not self._waiting or self._gathering or len(self._rounds) == ROUNDS:
            return
        self._gathering = True
        # A round serves many: it runs in nobody's name.
        task = asyncio.get_running_loop().create_task(self._round(), context=Context())
        self._rounds.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._rounds.discard(task)
        self._begin()

    async def _round(self) -> None:
        # Whoever asks in the same turn of the loop comes along.
        await asyncio.sleep(0)
        taken = [self._waiting.popleft() for _ in range(min(GROUP, len(self._waiting)))]
        self._gathering = False
        self._begin()
        try:
            results = await self._results([item for item, _ in taken])
        except BaseException:
            for _, future in taken:
                future.cancel()
            raise
        for (_, future), result in zip(taken, results, strict=True):
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
        except Exception as error:  # noqa: BLE001 - it belongs to whoever asked
            if len(items) == 1:
                return [error]
            return [result for item in items for result in await self._results([item])]
