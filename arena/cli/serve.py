"""`arena serve`: API, pages and worker in one command."""

from __future__ import annotations

import logging
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from arena.adapters.observability import logging as logs
from arena.cli import importing
from arena.cli.supervisor import SupervisedProcess, supervise
from arena.domain.errors import Invalid
from arena.settings import Settings

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor


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
    for name in ("arena.worker", "arena.adapters.store.engine.files"):
        logging.getLogger(name).setLevel(logging.INFO)
    if inherited:
        child = SupervisedProcess.of(inherited)
        _run(settings, child.listeners, fits=None, say=child.report_ready)
    elif workers > 1:
        with _listening(host, port) as listener:
            supervise(settings, listener, workers, rates=worker, verbose=verbose, say=lambda: _say(listener))
    else:
        # Before the web stack is imported, which the fits do not need.
        with _fitting() if worker else nullcontext() as fits, _listening(host, port) as listener:
            _run(settings, [listener], fits=fits, say=lambda: _say(listener))


def _run(
    settings: Settings, listeners: Sequence[socket.socket], *, fits: Executor | None, say: Callable[[], None]
) -> None:
    # The web stack takes a second to import, and other commands do not need it.
    with importing():
        from arena.cli.composition import run_service  # noqa: PLC0415
    run_service(settings, listeners, fits=fits, say=say)


def _listening(host: str, port: int) -> socket.socket:
    with importing():
        from arena.api.server import listen  # noqa: PLC0415 - as above
    return listen(host, port)


def _fitting() -> Executor:
    with importing():
        from arena.worker.fit_process import forked_fitting_process  # noqa: PLC0415 - as above
    return forked_fitting_process()


def _check_transport(settings: Settings, host: str) -> None:
    """Refuse to require a bot check of browsers that cannot do it: they have WebCrypto on HTTPS and localhost only."""
    local = host in {"localhost", "::1"} or host.startswith("127.")
    if settings.bot_check == "require" and not settings.secure_cookie and not local:
        raise Invalid(
            f"ARENA_BOT_CHECK=require: browsers cannot do the check over plain http at {host};"
            " serve behind TLS with ARENA_SECURE_COOKIE=true, or observe"
        )


def _say(listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    print(f"The arena is open: http://{f'[{host}]' if ':' in host else host}:{port}", flush=True)
