"""Metrics on a port of their own, which the public never reaches."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from prometheus_client import start_http_server

from arena.errors import Unavailable
from arena.meters import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Generator


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
