"""Processor time that calls take on the event loop of this thread, and the lag of the loop."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager, suppress
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

if TYPE_CHECKING:
    from asyncio.events import Handle, TimerHandle
    from collections.abc import AsyncGenerator, Callable, Mapping

    from starlette.types import ASGIApp

    from benchmarks.routes.calls import Call

PERIOD: Final = 0.002
"""Seconds between two beats by which the lag is measured."""
PATIENCE: Final = 60.0
"""Longest time of a call; a stream without an end is left then."""
PIECE: Final = 2**16
"""Bytes of a body that arrive at once."""


@dataclass(slots=True)
class Answer:
    """Answer to a call, its milliseconds of processor on the loop's thread, and the loop's lag."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""
    cpu_ms: float = 0.0
    step_ms: float = 0.0
    """Processor of its longest step, during which the loop does nothing else."""
    lag_ms: float = 0.0


_answer: Final = ContextVar[Answer | None]("answer", default=None)
"""The answer for which a step is made; tasks that a call begins have it too."""


class TimedLoop(asyncio.SelectorEventLoop):
    """An event loop that adds the processor of each step to the answer for which it is made.

    What the arena does in any case, and what measures the lag, belongs to no answer. Not counted is the bare reading
    of sockets and pipes, for which asyncio has no public hook.
    """

    def call_soon(self, callback: Callable[..., object], *args: object, context: Context | None = None) -> Handle:
        """As asyncio's, timed."""
        return super().call_soon(_run, callback, args, context=context)

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> Handle:
        """As asyncio's, timed."""
        return super().call_soon_threadsafe(_run, callback, args, context=context)

    def call_at(
        self, when: float, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> TimerHandle:
        """As asyncio's, timed."""
        return super().call_at(when, _run, callback, args, context=context)


def _run(callback: Callable[..., object], args: tuple[object, ...]) -> None:
    start = time.thread_time()
    try:
        callback(*args)
    finally:
        if answer := _answer.get():
            ms = 1000 * (time.thread_time() - start)
            answer.cpu_ms += ms
            answer.step_ms = max(answer.step_ms, ms)


class Client:
    """Calls an application without a server on a `TimedLoop`, so that nothing but the application is measured."""

    def __init__(self, app: ASGIApp, address: str = "203.0.113.5") -> None:
        self._app = app
        self._address = address
        self.cookies: dict[str, str] = {}

    async def send(self, call: Call, headers: Mapping[str, str]) -> Answer:
        """Send a call and wait for its whole answer, at most `PATIENCE` seconds."""
        answer = Answer()
        scope, ends = self._scope(call, headers), iter(range(PIECE, len(call.body) + PIECE + 1, PIECE))

        async def receive() -> dict[str, Any]:
            if not (end := next(ends, 0)):
                await asyncio.Event().wait()
            await asyncio.sleep(0)
            return {"type": "http.request", "body": call.body[end - PIECE : end], "more_body": end < len(call.body)}

        async def send(message: Any) -> None:  # noqa: ANN401 - an ASGI message
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                pairs = [(name.decode(), value.decode("latin-1")) for name, value in message["headers"]]
                answer.headers = dict(pairs)
                self._keep([value for name, value in pairs if name == "set-cookie"])
            else:
                answer.body += message.get("body", b"")

        async def ask() -> None:
            await self._app(scope, receive, send)

        context = copy_context()
        context.run(_answer.set, answer)
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await asyncio.create_task(ask(), context=context)
        # What the call has begun goes on, and is not waited for.
        return replace(answer)

    def _keep(self, lines: list[str]) -> None:
        for line in lines:
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value

    def _scope(self, call: Call, headers: Mapping[str, str]) -> dict[str, Any]:
        path, _, query = call.target.partition("?")
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        lines = {"host": "127.0.0.1", "content-length": str(len(call.body)), "cookie": cookie, **headers}
        if call.content_type:
            lines["content-type"] = call.content_type
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": call.method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in lines.items()],
            "client": (self._address, 1),
            "server": ("127.0.0.1", 80),
            "state": {},
        }


@dataclass(slots=True)
class Lag:
    """The longest lateness of a beat so far, in milliseconds."""

    ms: float = 0.0


@asynccontextmanager
async def watched() -> AsyncGenerator[Lag]:
    """Measure the loop's lag during the block."""
    lag = Lag()

    async def beat() -> None:
        while True:
            start = time.perf_counter()
            await asyncio.sleep(PERIOD)
            lag.ms = max(lag.ms, 1000 * (time.perf_counter() - start - PERIOD))

    task = asyncio.create_task(beat())
    try:
        yield lag
    finally:
        task.cancel()
