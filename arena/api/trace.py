"""One id per request, from the proxy through every line that its work logs, and back to who asked."""

from __future__ import annotations

import logging
import re
import secrets
import time
from typing import TYPE_CHECKING, Final

import structlog
from starlette.datastructures import Headers, MutableHeaders

from arena.meters import REQUESTS
from arena.spans import span

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER: Final = "X-Request-ID"
_FITS: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
_NAMED: Final = re.compile(r"(/(?:battles|chats|endpoints|shared)/)[^/]+|(/models/).+")
"""Where a path names one of many; spans are told of the many only."""

log = logging.getLogger(__name__)


class Trace:
    """Binds the request's id to the logs of all it starts, and logs one line when it has ended.

    An id that a proxy sends is taken over if it looks like one; the line names method, path, status and milliseconds,
    and neither query, body, cookie nor address.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        request_id = given if _FITS.fullmatch(given) else secrets.token_hex(8)
        started, status = time.monotonic(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                note("status", message["status"])
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        asked = span("request", method=scope["method"], path=_NAMED.sub(r"\1\2*", scope["path"]), request=request_id)
        with structlog.contextvars.bound_contextvars(request=request_id), asked as note:
            try:
                await self.app(scope, receive, sending)
            finally:
                spent = time.monotonic() - started
                if not scope["path"].endswith("/stream"):
                    REQUESTS.labels(scope["method"], status).observe(spent)
                facts = {"method": scope["method"], "path": scope["path"], "status": status, "ms": round(spent * 1000)}
                log.info("request", extra=facts)
