"""Metrics on a separate port that is not public."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from prometheus_client import start_http_server

from arena.adapters.observability.metrics import CONNECTIONS, PLACES, REGISTRY, WAITING
from arena.domain.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Generator

    from arena.adapters.limits import Limits
    from arena.adapters.store.engine import Database


@contextmanager
def published(host: str, port: int) -> Generator[None]:
    """Serve `GET /metrics` on `host:port` during the block; port 0 serves nothing.

    Raises:
        Unavailable: The address is taken.
    """
    if not port:
        yield
        return
    try:
        server, thread = start_http_server(port, host, REGISTRY)
    except OSError as error:
        raise Unavailable(f"cannot publish metrics on {host}:{port}: {error.strerror}") from None
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def watch_database(database: Database) -> None:
    """Report the load of the database connections as metrics."""
    WAITING.set_function(lambda: database.load().waiting)
    CONNECTIONS.labels("used").set_function(lambda: database.load().used)
    CONNECTIONS.labels("all").set_function(lambda: database.load().connections)


def watch_places(limits: Limits, limit: int) -> None:
    """Report the capacity for running turns as metrics; `limit` is the limit of all processes."""
    PLACES.labels("taken").set_function(lambda: limits.running)
    PLACES.labels("all").set(limit)
