"""Uvicorn, taught to end well: running answers get their grace first, then every open stream is told, then it stops."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn

from arena.api.connection import Connection
from arena.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator, Sequence

    from fastapi import FastAPI


class Server(uvicorn.Server):
    """Serves `app` on `listeners`, calls `opened`, and on a signal gives the stage `grace` seconds to finish."""

    def __init__(
        self, app: FastAPI, listeners: Sequence[socket.socket], *, grace: float, opened: Callable[[], None]
    ) -> None:
        # Nothing waits behind the grace: whoever is still connected after it has been told to come back.
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                http=Connection,
                timeout_graceful_shutdown=3,
            )
        )
        self._app = app
        self._listeners = listeners
        self._grace = grace
        self._opened = opened

    async def run_until_stopped(self) -> None:
        """Serve until a signal comes."""
        await self.serve(sockets=list(self._listeners))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so: by now a signal is handled and a request answered."""
        await super().startup(sockets)
        self._opened()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let running answers end and their readers know, before connections are closed."""
        await self._app.state.stage.close(0 if self.force_exit else self._grace)
        self._app.state.board.close()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Handle the signals without raising them again: what follows the server must still be closed in order."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run `main` on the loop that uvicorn takes where it runs by itself: the compiled one, where there is one."""
    with asyncio.Runner(loop_factory=uvicorn.Config("", log_config=None).get_loop_factory()) as runner:
        runner.run(main)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        Unavailable: The address is taken or not ours; the text says so.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except socket.gaierror as error:
        raise Unavailable(f"cannot listen on {host}:{port}: {error.strerror}") from None
    except OSError as error:
        raise Unavailable(f"cannot listen on {host}:{port}: {os.strerror(error.errno or 0)}") from None
