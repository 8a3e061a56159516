"""Long work of a request, told line by line: how much is done, and at last what came of it or why nothing did."""

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
"""Seconds between two lines."""


class ClientGone(Exception):
    """Whoever asked has left: work in a thread ends at its next step, and its transaction rolls back."""


class WorkProgress:
    """How far long work is; every method may be called from any thread."""

    def __init__(self, total: int) -> None:
        """Begin with nothing done of `total`."""
        self.done, self.total, self.ended = 0, total, False

    def begin(self, total: int) -> None:
        """Go on to another part of the work, which has a total of its own."""
        self.done, self.total = 0, total

    def reach(self, done: int) -> None:
        """Set how much is done.

        Raises:
            ClientGone: Nobody waits any more.
        """
        if self.ended:
            raise ClientGone
        self.done = done


class LongWork(JsonLinesResponse):
    """Answers with lines `{"done", "of"}` and last `{"result"}` or `{"problem"}`; at the end `resources` are closed."""

    def __init__(self, progress: WorkProgress, work: Coroutine[None, None, Wire], resources: AsyncExitStack) -> None:
        super().__init__(_lines(progress, work), headers=HEADERS)
        self._resources = resources

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the lines; if whoever asked leaves, the work ends."""
        async with self._resources:
            await super().__call__(scope, receive, send)


async def _lines(progress: WorkProgress, work: Coroutine[None, None, Wire]) -> AsyncGenerator[bytes]:
    task = asyncio.create_task(work)
    # What nobody waits for any more ends with an error that nobody reads.
    task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    try:
        while not task.done():
            yield _line({"done": progress.done, "of": progress.total})
            await asyncio.wait((task,), timeout=LOOK)
        yield _line({"result": (await task).model_dump(mode="json")})
    except ArenaError as error:
        yield _line({"problem": json.loads(bytes(problem(error).body))})
    finally:
        progress.ended = True
        task.cancel()


def _line(value: object) -> bytes:
    return f"{json.dumps(value, ensure_ascii=False)}\n".encode()
