"""Request ids: from the proxy, into every log line of the request, and back to the client."""

from __future__ import annotations

import logging
import re
import secrets
import time
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers

from arena.adapters.observability.logging import REQUEST
from arena.adapters.observability.metrics import REQUESTS
from arena.adapters.observability.tracing import span

if TYPE_CHECKING:
    from prometheus_client import Histogram
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER: Final = b"x-request-id"
_WELL_FORMED: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
_IDENTIFIERS: Final = re.compile(
    r"(/(?:annotate|battles|chats|endpoints|frames|images|shared|shares)/+)[^/]+|(/models/).+", re.IGNORECASE
)
"""Parts of paths that identify one item; logs and spans get `*` instead, since many give access to it. The proxy's
log does the same (deploy/nginx)."""

log = logging.getLogger(__name__)


class RequestTrace:
    """Binds the request id to all logs and spans of a request, and logs one line at its end.

    An id from a proxy is kept if it is well-formed. The line has method, path pattern, status and milliseconds, but no
    query, body, cookie or address.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        header = Headers(scope=scope).get(HEADER.decode(), "")
        request_id = header if _WELL_FORMED.fullmatch(header) else secrets.token_hex(8)
        start, status = time.monotonic(), 0

        async def respond(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                recorder.set_attribute("status", message["status"])
                status = message["status"]
                headers = [pair for pair in message["headers"] if pair[0] != HEADER]
                message["headers"] = [*headers, (HEADER, request_id.encode())]
            await send(message)

        path = _IDENTIFIERS.sub(r"\1\2*", scope["path"])
        request_span = span("request", method=scope["method"], path=path, request=request_id)
        token = REQUEST.set(request_id)
        with request_span as recorder:
            try:
                await self.app(scope, receive, respond)
            finally:
                seconds = time.monotonic() - start
                if not scope["path"].endswith("/stream"):
                    _histogram(scope["method"], status).observe(seconds)
                facts = {"method": scope["method"], "path": path, "status": status, "ms": round(seconds * 1000)}
                log.info("request", extra=facts)
                REQUEST.reset(token)


@lru_cache(64)
def _histogram(method: str, status: int) -> Histogram:
    return REQUESTS.labels(method, status)
