"""Responses of long operations: JSON lines with the progress, and last the result or the problem."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Final

from arena.api.contract import JsonLinesResponse
from arena.api.http.events import HEADERS
from arena.api.http.problems import problem
from arena.domain.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Coroutine
    from contextlib import AsyncExitStack

    from starlette.types import Receive, Scope, Send

    from arena.domain.schemas.base import Wire

LOOK: Final = 0.3
"""Seconds between two lines of progress."""
START: Final = 30.0
"""Most seconds in which the status waits for the first progress."""


class ClientGone(Exception):
    """The client has disconnected: work in a thread ends at its next step, and its transaction rolls back."""


class WorkProgress:
    """Progress of a long operation; its methods may be called from any thread."""

    def __init__(self, total: int) -> None:
        """Begin at 0 of `total`."""
        self.done, self.total, self.ended = 0, total, False
        self.begun = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def begin(self, total: int) -> None:
        """Begin another part of the operation, with a total of its own."""
        self.done, self.total = 0, total

    def reach(self, done: int) -> None:
        """Set how much is done.

        Raises:
            ClientGone: The client has disconnected.
        """
        if self.ended:
            raise ClientGone
        self.done = done
        self._loop.call_soon_threadsafe(self.begun.set)


class LongWork(JsonLinesResponse):
    """Sends lines `{"done", "of"}` and last `{"result"}` or `{"problem"}`, then closes `resources`.

    Work that fails before its first progress or right after it has the status of its error, and no lines.
    """

    def __init__(self, progress: WorkProgress, work: Coroutine[None, None, Wire], resources: AsyncExitStack) -> None:
        self._progress, self._work, self._resources = progress, work, resources
        super().__init__(self._lines(), headers=HEADERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the problem or the lines; the work ends if the client disconnects."""
        async with self._resources:
            self._task = asyncio.create_task(self._work)
            # Reads the error of abandoned work, which asyncio would log as never retrieved.
            self._task.add_done_callback(lambda work: work.cancelled() or work.exception())
            try:
                await self._await_start()
                error = None if not self._task.done() else self._task.exception()
                if isinstance(error, ArenaError):
                    await problem(error)(scope, receive, send)
                else:
                    await super().__call__(scope, receive, send)
            finally:
                self._progress.ended = True
                self._task.cancel()

    async def _await_start(self) -> None:
        begun = asyncio.create_task(self._progress.begun.wait())
        try:
            await asyncio.wait((self._task, begun), timeout=START, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait((self._task,), timeout=LOOK)
        finally:
            begun.cancel()

    async def _lines(self) -> AsyncGenerator[bytes]:
        progress, task = self._progress, self._task
        try:
            while not task.done():
                yield _line({"done": progress.done, "of": progress.total})
                await asyncio.wait((task,), timeout=LOOK)
            yield _line({"done": progress.done, "of": progress.total})
            yield _line({"result": (await task).model_dump(mode="json")})
        except ArenaError as error:
            yield _line({"problem": json.loads(bytes(problem(error).body))})


def _line(value: object) -> bytes:
    return f"{json.dumps(value, ensure_ascii=False)}\n".encode()
