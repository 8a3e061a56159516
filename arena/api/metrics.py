"""Metrics on a port of their own, which the public never reaches."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from prometheus_client import start_http_server

from arena.errors import Unavailable
from arena.meters import CONNECTIONS, PLACES, REGISTRY, WAITING

if TYPE_CHECKING:
    from collections.abc import Generator

    from arena.limits import Limits
    from arena.store.engine import Database


@contextmanager
def published(host: str, port: int) -> Generator[None]:
    """Answer `GET /metrics` on `host:port` meanwhile; port 0 publishes nothing.

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
    """Let whoever asks see how busy the lines to `database` are."""
    WAITING.set_function(lambda: database.load().waiting)
    CONNECTIONS.labels("used").set_function(lambda: database.load().used)
    CONNECTIONS.labels("all").set_function(lambda: database.load().connections)


def watch_places(limits: Limits, most: int) -> None:
    """The same of the places of running turns, of which there are `most` in all processes."""
    PLACES.labels("taken").set_function(lambda: limits.running)
    PLACES.labels("all").set(most)
