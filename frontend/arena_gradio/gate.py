"""The app's outermost layer: an exact list of paths, a bound of bodies, a policy, and an end after an idle time."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any, Final

from arena_gradio.texts import PATHS, preferred

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_LIMIT: Final = 131_072
"""Longest body in bytes; a prompt of the longest kind takes less, and nothing is uploaded."""
_PATHS: Final = re.compile(
    r"/(zh|zh-tw)?/?"
    r"|/(config|gradio_api/info|theme\.css|favicon\.ico|robots\.txt|manifest\.json|gradio_api/startup-events)/?"
    r"|/(assets|static|svelte)/.*"
    r"|/gradio_api/(heartbeat/\w+|queue/(join|data)|call/(?!v2/)\w+(/\w+)?|reset|cancel)/?"
)
"""The paths of the app. Uploads, files, direct runs, monitoring and the history of runs are not among them, and of the
calls only the form that refuses wrong values."""
_POLICY: Final = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; media-src 'none'; frame-src 'none'; object-src 'none'; "
    "connect-src 'self'; worker-src 'self' blob:; form-action 'none'; base-uri 'self'"
)
_HEADERS: Final = [
    (b"content-security-policy", _POLICY.encode()),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]
_FILES: Final = (b"cache-control", b"public, max-age=31536000, immutable")


class Gate:
    """Passes the requests on that the app takes, and remembers when the last one ended."""

    def __init__(self, app: App, hops: int = 0) -> None:
        self._app = app
        self._hops = hops
        self._running = 0
        self._last = time.monotonic()

    @property
    def idle(self) -> float:
        """Seconds since the last request ended; 0 while there is one."""
        return 0 if self._running else time.monotonic() - self._last

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await (_close(send) if scope["type"] == "websocket" else self._app(scope, receive, send))
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if not _PATHS.fullmatch(scope["path"]):
            await _refuse(send, 404)
            return
        if scope["path"] == "/" and (path := _chosen_by_browser(headers)):
            await _redirect(send, path, scope["query_string"])
            return
        self._running += 1
        body = Body(receive)
        try:
            with suppress(TooLong):
                answer = _with_policy(scope["path"], body.unless_long(send))
                await self._app(self._from(scope, headers), body.read, answer)
        finally:
            if body.is_long:
                await _refuse(send, 413)
            self._running -= 1
            self._last = time.monotonic()

    def _from(self, scope: Scope, headers: dict[str, str]) -> Scope:
        """The request with the address that the outermost trusted proxy has seen."""
        entries = headers.get("x-forwarded-for", "").split(",")
        if not self._hops or len(entries) < self._hops:
            return scope
        return {**scope, "client": (entries[-self._hops].strip(), 0)}


class TooLong(Exception):
    """A body is longer than the limit."""


class Body:
    """A request's body as far as the limit."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._size = 0

    @property
    def is_long(self) -> bool:
        """Whether it has gone beyond the limit."""
        return self._size > BODY_LIMIT

    async def read(self) -> MutableMapping[str, Any]:
        """Return the next part.

        Raises:
            TooLong: It goes beyond the limit.
        """
        message = await self._receive()
        self._size += len(message.get("body", b""))
        if self.is_long:
            raise TooLong
        return message

    def unless_long(self, send: Send) -> Send:
        """Drop the app's answer to a body that is too long, which it takes for one that it cannot read."""

        async def respond(message: MutableMapping[str, Any]) -> None:
            if not self.is_long:
                await send(message)

        return respond


def _with_policy(path: str, send: Send) -> Send:
    added = [*_HEADERS, _FILES] if path.startswith(("/assets/", "/static/")) else _HEADERS

    async def respond(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            names = {name for name, _ in added}
            message["headers"] = [*(pair for pair in message["headers"] if pair[0] not in names), *added]
        await send(message)

    return respond


def _chosen_by_browser(headers: dict[str, str]) -> str:
    """Path of the browser's language where the bare address is typed or framed; whoever follows a link has chosen."""
    start = headers.get("sec-fetch-site", ""), headers.get("sec-fetch-dest", "")
    is_start = start in {("none", "document"), ("cross-site", "iframe")}
    return PATHS[preferred(headers.get("accept-language", ""))] if is_start else ""


async def _redirect(send: Send, path: str, query: bytes) -> None:
    location = b"./" + path.encode() + (b"?" + query if query else b"")
    headers = [(b"location", location), (b"vary", b"accept-language, sec-fetch-site, sec-fetch-dest"), *_HEADERS]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _refuse(send: Send, status: int) -> None:
    body = b"Not found" if status == 404 else b"Too long"
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(body)).encode()), *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _close(send: Send) -> None:
    await send({"type": "websocket.close", "code": 1008})
