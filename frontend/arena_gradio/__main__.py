"""`python -m arena_gradio [URL]`: serve the app for an arena, with the settings of a Gradio app."""

from __future__ import annotations

import argparse
import asyncio
import hmac
import os
import secrets
import socket
import sys
import tempfile
import warnings
from inspect import signature
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena_gradio.gate import Gate
    from arena_gradio.visitors import Arena

OFFLINE: Final = {"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_DISABLE_TELEMETRY": "1", "GRADIO_SSR_MODE": "False"}
"""Settings with which Gradio and its packages ask no other host."""
IDLE_PERIOD: Final = 5
"""Seconds between looks at whether the app is idle."""


def main(arguments: list[str] | None = None) -> None:
    """Serve until a signal arrives, or as long as it is used."""
    parser = argparse.ArgumentParser(prog="arena_gradio", description=__doc__)
    parser.add_argument("url", nargs="?", default=os.environ.get("ARENA_URL", "http://127.0.0.1:8000"))
    parser.add_argument("--host", default=os.environ.get("GRADIO_SERVER_NAME", "127.0.0.1"))
    parser.add_argument("--port", type=int, default=int(os.environ.get("GRADIO_SERVER_PORT", "7860")))
    options = parser.parse_args(arguments)
    try:
        listener = listen(options.host, options.port)
    except OSError as error:
        sys.exit(f"arena_gradio: {options.host}:{options.port}: {error.strerror or error}.")
    serve(options.url, listener, token=os.environ.get("ARENA_GRADIO_TOKEN", ""))


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket.

    Raises:
        OSError: The address is taken or not of this machine.
    """
    return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)


def serve(
    url: str,
    listener: socket.socket,
    *,
    page: str = "",
    token: str = "",
    hops: int = 0,
    idle: float = 0,
    parent: int | None = None,
) -> None:
    """Serve the app for the arena at `url` on `listener`.

    `page` is the public address of its pages, `url` by default. `token` lets the app name its visitors to the arena;
    `hops` is the number of trusted proxies in front. It ends after `idle` seconds without a request, unless that is 0,
    and when the file descriptor `parent` ends. What browsers store is encrypted with `ARENA_GRADIO_SECRET`, or else by
    the token, so that a visitor is the same after a restart.
    """
    from arena_gradio.visitors import Arena

    arena = Arena(url.rstrip("/"), page.rstrip("/") or url.rstrip("/"), token)
    derived = hmac.digest(token.encode(), b"storage of browsers", "sha256").hex() if token else secrets.token_hex(32)
    secret = os.environ.get("ARENA_GRADIO_SECRET") or derived
    os.environ.update(OFFLINE)
    with tempfile.TemporaryDirectory(prefix="arena-gradio-") as folder:
        os.environ["GRADIO_TEMP_DIR"] = folder  # Gradio would serve all that lies in the common one
        gate = _gate(arena, secret, hops)
        asyncio.run(_serve(gate, listener, idle, parent))


async def _serve(gate: Gate, listener: socket.socket, idle: float, parent: int | None) -> None:
    import uvicorn

    config = uvicorn.Config(gate, log_level="warning", server_header=False, ws="none", timeout_graceful_shutdown=3)

    class Server(uvicorn.Server):
        """Says where it is open once it serves."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            host, port = listener.getsockname()[:2]
            print(f"The Gradio app is open: http://{f'[{host}]' if ':' in host else host}:{port}", flush=True)  # noqa: T201

    server = Server(config)

    async def watch() -> None:
        while not (idle and gate.idle > idle):  # noqa: ASYNC110 - time that passes sets no event
            await asyncio.sleep(min(IDLE_PERIOD, idle or IDLE_PERIOD))
        server.should_exit = True

    def end() -> None:
        server.should_exit = True

    if parent is not None:
        asyncio.get_running_loop().add_reader(parent, end)
    watching = asyncio.create_task(watch())
    await server.serve(sockets=[listener])
    watching.cancel()


def _gate(arena: Arena, secret: str, hops: int) -> Gate:
    from fastapi import FastAPI
    from gradio.routes import mount_gradio_app  # pyright: ignore[reportUnknownVariableType]

    from arena_gradio import app
    from arena_gradio.gate import Gate

    demo = app.build(arena, secret)
    options: dict[str, Any] = {
        "footer_links": [],
        "enable_monitoring": False,
        "ssr_mode": False,
        "show_error": False,
        "app_kwargs": {"openapi_url": None, "docs_url": None, "redoc_url": None},
        "css_paths": app.STYLES,
        "head": app.HEAD,
        "theme": app.theme(),
    }
    mount = cast("Callable[..., Any]", mount_gradio_app)  # its parameter `auth` has no whole type
    if "run_history" in signature(mount).parameters:  # older versions have none
        options["run_history"] = False
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "SSR mode is not supported")  # nobody has asked for it
        served: Any = mount(FastAPI(openapi_url=None, docs_url=None), demo, path="/", **options)
    return Gate(served, hops)


if __name__ == "__main__":
    main()
