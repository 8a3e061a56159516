"""Serves an ASGI application in a thread on a free port of 127.0.0.1, for a browser with a synchronous API.

A `SharedServer` serves one application after another at the same address, so that a browser keeps cached scripts.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

EMPTY = "/an-empty-page-of-the-tests"
GONE = HTMLResponse("no test is running", status_code=503)


@contextmanager
def serve(app: Any) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server ended instead of starting"
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(60)


class SharedServer:
    """Passes requests to the current application; `EMPTY` is always served."""

    def __init__(self) -> None:
        self.app: ASGIApp = GONE
        self.running = 0
        self.address = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http", "the tests' applications have no lifespan"
        if scope["path"] == EMPTY:
            await HTMLResponse("<!doctype html>")(scope, receive, send)
            return
        self.running += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.running -= 1

    @contextmanager
    def holding(self, app: ASGIApp) -> Iterator[str]:
        """Serve `app`; at the end wait up to a second for running requests, as a server does when it stops."""
        self.app = app
        yield self.address
        end = time.monotonic() + 1
        while self.running and time.monotonic() < end:
            time.sleep(0.01)
        self.app = GONE


@contextmanager
def shared_server() -> Iterator[SharedServer]:
    door = SharedServer()
    with serve(door) as door.address:
        yield door
