"""`arena serve`: API, pages and worker in one command."""

from __future__ import annotations

import asyncio
import resource
import socket
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.adapters.observability import logging as logs
from arena.api.http.server import GRADIO, Server, Startup, listen, run
from arena.domain.errors import Invalid
from arena.domain.site import is_loopback
from arena.settings import Settings
from arena_frontend.app import create_app as create_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

OPEN_FILES: Final = 16_384
"""Most open files of a serving process, where the system allows as many."""


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port to listen on; 0 takes a free one.")] = 8000,
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="Number of serving processes; more than 1 needs PostgreSQL.")
    ] = 1,
    worker: Annotated[bool, typer.Option(help="Run the worker here; without it, run `arena worker`.")] = True,
    verbose: Annotated[bool, typer.Option(help="Log more, still without prompts, answers or keys.")] = False,
    inherited: Annotated[str, typer.Option(hidden=True)] = "",
) -> None:
    """Start the arena and print its address; Ctrl-C ends it."""
    settings = Settings()
    _check_transport(settings, host)
    logs.configure_service(settings.log, verbose=verbose)
    if inherited:
        child = _supervisor().SupervisedProcess.of(inherited)
        run_service(settings, child.listeners, worker=False, at_once=False, say=child.report_ready)
        return
    raise_open_files()
    with listen(host, port) as listener:
        say = partial(_announce, settings, listener)
        if workers > 1:
            _supervisor().supervise(settings, listener, workers, rates=worker, verbose=verbose, say=say)
        else:
            run_service(settings, [listener], worker=worker, at_once=True, say=say)


def _supervisor() -> ModuleType:
    # It imports the database, for which pages of a single process would wait.
    from arena.serving import supervisor

    return supervisor


def raise_open_files() -> None:
    """Allow this process and its children more open files, of which each connection is one.

    The usual limit of 1,024 is less than one network may have open.
    """
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = OPEN_FILES if most == resource.RLIM_INFINITY else min(OPEN_FILES, most)
    if least != resource.RLIM_INFINITY and least < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))


def _check_transport(settings: Settings, host: str) -> None:
    """Refuse to require a bot check of browsers that cannot do it: they have WebCrypto on HTTPS and localhost only."""
    if settings.bot_check == "require" and not settings.secure_cookie and not is_loopback(host):
        raise Invalid(
            f"ARENA_BOT_CHECK=require: browsers cannot do the check over plain http at {host};"
            " serve behind TLS with ARENA_SECURE_COOKIE=true, or observe"
        )


def _announce(settings: Settings, listener: socket.socket) -> None:
    """Print the address, and keep it for commands that print links."""
    host, port = listener.getsockname()[:2]
    app = f" (as a Gradio app: {_url(host, port)}{GRADIO})" if settings.gradio_open else ""
    print(f"The arena is open: {_url(host, port)}{app}", flush=True)
    reachable = socket.gethostname() if host in {"0.0.0.0", "::"} else host  # noqa: S104 - compared, not listened on
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    settings.address_file.touch(0o600)
    settings.address_file.write_text(_url(reachable, port))


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


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
    pages = create_pages(settings.public_url, frames=settings.frame_origin, gradio=settings.gradio_open)
    startup = Startup(pages)
    server = Server(startup, listeners, grace=settings.grace_seconds)
    stopped = asyncio.Event()
    host, port = listeners[0].getsockname()[:2]
    arena = asyncio.create_task(_arena(settings, startup, stopped, (host, port), worker=worker, say=say))

    def end(_arena: asyncio.Task[None]) -> None:
        startup.arena.cancel()  # it is built by now, or never
        server.stop()

    arena.add_done_callback(end)
    if not at_once:
        await asyncio.wait([arena, startup.arena], return_when=asyncio.FIRST_COMPLETED)
    await server.run_until_stopped()
    stopped.set()
    await arena


async def _arena(
    settings: Settings,
    startup: Startup,
    stopped: asyncio.Event,
    listening: tuple[str, int],
    *,
    worker: bool,
    say: Callable[[], None],
) -> None:
    """Build the arena, hand it over, and close it when the server has stopped."""
    composition = await asyncio.to_thread(_composition)
    async with composition.built(settings, startup.pages, worker=worker, listening=listening) as app:
        startup.arena.set_result(app)
        if not stopped.is_set():
            say()
            composition.warn_of_imprint(app.state.runtime, settings)
        await stopped.wait()


def _composition() -> ModuleType:
    from arena.serving import composition

    return composition
