"""The serving process of `arena serve`: a server that answers before the arena behind it is built."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from arena.api.http.server import Server, Startup, run
from arena_frontend.app import create_app as create_pages

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from arena.settings import Settings


def run_service(
    settings: Settings, listeners: Sequence[socket.socket], *, worker: bool, at_once: bool, say: Callable[[], None]
) -> None:
    """Serve on `listeners` until a signal arrives, with the worker if asked; `say` is called when the arena is open.

    Pages are served `at_once`, or else nothing until the arena is open, since other processes serve.

    Raises:
        Unavailable: Another service uses the data folder.
    """
    run(_serve(settings, listeners, worker=worker, at_once=at_once, say=say))


async def _serve(
    settings: Settings, listeners: Sequence[socket.socket], *, worker: bool, at_once: bool, say: Callable[[], None]
) -> None:
    startup = Startup(create_pages(settings.public_url, frames=settings.frame_origin))
    server = Server(startup, listeners, grace=settings.grace_seconds)
    stopped = asyncio.Event()
    arena = asyncio.create_task(_arena(settings, startup, stopped, worker=worker, say=say))
    arena.add_done_callback(lambda _: server.stop())
    if not at_once:
        await asyncio.wait([arena, startup.arena], return_when=asyncio.FIRST_COMPLETED)
    await server.run_until_stopped()
    stopped.set()
    await arena


async def _arena(
    settings: Settings, startup: Startup, stopped: asyncio.Event, *, worker: bool, say: Callable[[], None]
) -> None:
    """Build the arena, hand it over, and close it when the server has stopped."""
    composition = await asyncio.to_thread(_composition)
    async with composition.built(settings, startup.pages, worker=worker) as app:
        startup.arena.set_result(app)
        if not stopped.is_set():
            say()
            composition.warn_of_imprint(app.state.runtime, settings)
        await stopped.wait()


def _composition() -> ModuleType:
    from arena.serving import composition

    return composition
