"""`arena serve`: API, pages and worker in one command."""

from __future__ import annotations

import logging
import socket
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from arena.adapters.observability import logging as logs
from arena.api.http.server import listen
from arena.domain.errors import Invalid
from arena.serving.service import run_service
from arena.settings import Settings

if TYPE_CHECKING:
    from types import ModuleType


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
    logs.configure(settings.log, logging.INFO if verbose or settings.log == "json" else logging.WARNING)
    for name in ("arena.serving", "arena.adapters.store.engine.files"):
        logging.getLogger(name).setLevel(logging.INFO)
    if inherited:
        child = _supervisor().SupervisedProcess.of(inherited)
        run_service(settings, child.listeners, worker=False, at_once=False, say=child.report_ready)
        return
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


def _check_transport(settings: Settings, host: str) -> None:
    """Refuse to require a bot check of browsers that cannot do it: they have WebCrypto on HTTPS and localhost only."""
    local = host in {"localhost", "::1"} or host.startswith("127.")
    if settings.bot_check == "require" and not settings.secure_cookie and not local:
        raise Invalid(
            f"ARENA_BOT_CHECK=require: browsers cannot do the check over plain http at {host};"
            " serve behind TLS with ARENA_SECURE_COOKIE=true, or observe"
        )


def _announce(settings: Settings, listener: socket.socket) -> None:
    """Print the address, and keep it for commands that print links."""
    host, port = listener.getsockname()[:2]
    print(f"The arena is open: {_url(host, port)}", flush=True)
    reachable = socket.gethostname() if host in {"0.0.0.0", "::"} else host  # noqa: S104 - compared, not listened on
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    settings.address_file.touch(0o600)
    settings.address_file.write_text(_url(reachable, port))


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
