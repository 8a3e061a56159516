"""Uvicorn with an early start and a graceful stop.

Pages are served while the arena behind them is built. At the end running answers may finish, then open streams get a
last event, then the process exits.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import uvicorn

from arena.api.http.protocol import LimitedProtocol
from arena.domain.errors import ShuttingDown, Unavailable
from arena.domain.http_documents import FRAMES

if TYPE_CHECKING:
    from collections.abc import Coroutine, Generator, Sequence

    from fastapi import FastAPI
    from starlette.types import ASGIApp, Receive, Scope, Send

GRADIO: Final = "/gradio"
"""Path that leads to the Gradio app."""
API_PATHS: Final = ("/api/", "/log/", "/files/", "/healthz", "/readyz", "/.well-known/", FRAMES, GRADIO)
"""Prefixes of the paths that are not pages."""


class Startup:
    """Serves pages at once; other requests wait for the arena, which gets every request once it is built.

    Importing and building the arena takes seconds, and a page needs nothing of it. If it cannot be built, `arena` is
    cancelled, and requests that wait are answered with an error.
    """

    def __init__(self, pages: ASGIApp) -> None:
        self.arena: asyncio.Future[FastAPI] = asyncio.get_running_loop().create_future()
        self.pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self.arena.done() and scope["path"].startswith(API_PATHS):
            await asyncio.wait([self.arena])
        await self._app()(scope, receive, send)

    def _app(self) -> ASGIApp:
        """The app for a request now: the pages, the arena, or an error if it could not be built."""
        if not self.arena.done():
            return self.pages
        if not self.arena.cancelled():
            return self.arena.result()
        from arena.api.http.problems import problem  # it imports most of the arena, for which pages would wait

        return problem(ShuttingDown(retry_after=1))


class Server(uvicorn.Server):
    """Serves `app` on `listeners`; running turns get `grace` seconds after a signal."""

    def __init__(self, app: Startup, listeners: Sequence[socket.socket], *, grace: float) -> None:
        # Short, since `shutdown` has waited for running turns and told their readers to reconnect.
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                http=LimitedProtocol,
                lifespan="off",  # the arena is built and closed by its caller
                ws="none",
                timeout_graceful_shutdown=3,
            )
        )
        self._app = app
        self._listeners = listeners
        self._grace = grace

    async def run_until_stopped(self) -> None:
        """Serve until a signal arrives."""
        await self.serve(sockets=list(self._listeners))

    def stop(self) -> None:
        """Stop as a signal would."""
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let running turns end and tell their readers before connections are closed."""
        if self._app.arena.done() and not self._app.arena.cancelled():
            runtime = self._app.arena.result().state.runtime
            await runtime.close(0 if self.force_exit else self._grace)
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Handle signals without raising them again, so that everything else is still closed in order."""
        handlers = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)


def run(main: Coroutine[None, None, None]) -> None:
    """Run `main` on uvicorn's default event loop: uvloop, where it is available."""
    with asyncio.Runner(loop_factory=uvicorn.Config("", log_config=None).get_loop_factory()) as runner:
        runner.run(main)


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket.

    Raises:
        Unavailable: The address is taken or not of this machine; the message says which.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except socket.gaierror as error:
        raise Unavailable(f"cannot listen on {host}:{port}: {error.strerror}") from None
    except OSError as error:
        raise Unavailable(f"cannot listen on {host}:{port}: {os.strerror(error.errno or 0)}") from None
