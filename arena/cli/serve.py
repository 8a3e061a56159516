"""`arena serve`: API, pages and worker in one command."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import logs
from arena.cli.crew import Member, run_crew
from arena.settings import Settings

if TYPE_CHECKING:
    import socket


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port to listen on; 0 takes a free one.")] = 8000,
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="Processes that serve; more than 1 needs PostgreSQL.")
    ] = 1,
    worker: Annotated[bool, typer.Option(help="Count the votes in this process, not in `arena worker`.")] = True,
    verbose: Annotated[bool, typer.Option(help="Log what happens, without prompts, answers or keys.")] = False,
    crew: Annotated[str, typer.Option(hidden=True)] = "",
) -> None:
    """Start the arena and print its address; Ctrl-C ends it."""
    settings = Settings()
    logs.configure(settings.log, logging.INFO if verbose or settings.log == "json" else logging.WARNING)
    logging.getLogger("arena.worker").setLevel(logging.INFO)
    # The web stack takes a second to import, and the other commands need none of it.
    from arena.api.server import listen  # noqa: PLC0415
    from arena.cli.service import run_service  # noqa: PLC0415

    if crew:
        member = Member.of(crew)
        run_service(settings, member.listeners, rates=False, say=member.say)
        return
    with listen(host, port) as listener:
        if workers > 1:
            run_crew(settings, listener, workers, rates=worker, verbose=verbose, say=lambda: _say(listener))
        else:
            run_service(settings, [listener], rates=worker, say=lambda: _say(listener))


def _say(listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    print(f"The arena is open: http://{f'[{host}]' if ':' in host else host}:{port}", flush=True)
