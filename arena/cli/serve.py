"""`arena serve`: API, pages and worker in one command."""

from __future__ import annotations

import logging
from typing import Annotated

import typer

from arena.cli import logs
from arena.settings import Settings


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port to listen on; 0 takes a free one.")] = 8000,
    worker: Annotated[bool, typer.Option(help="Count the votes in this process, not in `arena worker`.")] = True,
    verbose: Annotated[bool, typer.Option(help="Log what happens, without prompts, answers or keys.")] = False,
) -> None:
    """Start the arena and print its address; Ctrl-C ends it."""
    settings = Settings()
    logs.configure(settings.log, logging.INFO if verbose or settings.log == "json" else logging.WARNING)
    logging.getLogger("arena.worker").setLevel(logging.INFO)
    # The web stack takes a second to import, and the other commands need none of it.
    from arena.cli.service import run_service  # noqa: PLC0415

    run_service(settings, host, port, rates=worker)
