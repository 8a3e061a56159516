"""Pure ASGI middleware in front of the routes: security headers, paths, request size, and origin checks."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from arena.api.json_depth import deeper
from arena.api.problems import Passing, problem
from arena.api.request_limits import UPLOADS
from arena.domain.errors import CrossOrigin, HeadersTooLarge, ImageTooLarge, Invalid, NotFound, TooDeep, TooLarge

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
COOKIE_LIMIT: Final = 4_096
"""Characters of cookies; the arena's take 120, and the standard library parses quoted ones in quadratic time."""
HEAD_LIMIT: Final = 16_384
"""Characters of the address and all headers."""
HEADER_COUNT: Final = 100
IMAGE_BYTES: Final = 8 * 2**20
DEPTH: Final = 20
"""Levels of nested JSON; valid requests have three."""
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""No path of the arena has a control character, and PostgreSQL stores no zero."""
_RAW_HEADERS: Final = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


class Guard:
    """Refuses control characters in paths, changes from other origins, oversized headers and bodies, and odd JSON.

    JSON is odd that is nested too deep or not UTF-8.
    """

    def __init__(self, app: ASGIApp, body_limit: int, image_limit: int = IMAGE_BYTES) -> None:
        self.app = app
        self.body_limit = body_limit
        self.image_limit = image_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        guarded = self._with_headers(send)
        if _CONTROL.search(scope["path"]):
            await problem(NotFound())(scope, receive, guarded)
            return
        headers = Headers(scope=scope)
        if scope["method"] not in SAFE and not same_origin(headers, scope["scheme"]):
            await problem(CrossOrigin())(scope, receive, guarded)
            return
        if _swollen(scope):
            await problem(HeadersTooLarge())(scope, receive, guarded)
            return
        upload = scope["path"] == UPLOADS
        limit = self.image_limit if upload else self.body_limit
        too_large = ImageTooLarge(limit=limit // 2**20) if upload else TooLarge()
        if _declared(headers) > limit:
            await problem(too_large)(scope, receive, guarded)
        elif upload:
            await self.app(scope, _bounded(receive, limit, too_large), guarded)
        else:
            await self._counted(scope, receive, guarded)

    async def _counted(self, scope: Scope, receive: Receive, send: Send) -> None:
        read: list[bytes] = []
        size = 0

        async def counting() -> Message:
            nonlocal size
            message = await receive()
            if piece := message.get("body", b""):
                read.append(piece)
                size += len(piece)
            if size > self.body_limit:
                raise Passing(TooLarge())
            if read and not message.get("more_body", False):
                body = b"".join(read)
                if not utf8(body):
                    raise Passing(Invalid(rule="utf8"))
                if deeper(body, DEPTH):
                    raise Passing(TooDeep())
                read.clear()
            return message

        await self.app(scope, counting, send)

    @staticmethod
    def _with_headers(send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(each for each in _RAW_HEADERS if each[0] not in given)]
            await send(message)

        return sending


def _bounded(receive: Receive, limit: int, too_large: TooLarge) -> Receive:
    """Receive a file, but not more than `limit` bytes of it."""
    size = 0

    async def bounded() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > limit:
            raise Passing(too_large)
        return message

    return bounded


def utf8(body: bytes) -> bool:
    """Whether a body is UTF-8, the only encoding of JSON; parsers would guess others from zero bytes."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in body


def same_origin(headers: Mapping[str, str], scheme: str) -> bool:
    """Whether a request comes from the arena's own pages or from a program.

    Browsers send the origin of a request (`Sec-Fetch-Site`, `Origin`); programs that send neither have no cookies of a
    person that could be abused.
    """
    if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    # Behind a TLS proxy the scheme seen here may be http; a page on plain HTTP must not act for a secure one.
    return parts.netloc == headers.get("host") and parts.scheme in {scheme, "https"}


def _swollen(scope: Scope) -> bool:
    headers = scope["headers"]
    size = sum(map(len, chain.from_iterable(headers)), len(scope["path"]) + len(scope["query_string"]))
    if len(headers) > HEADER_COUNT or size > HEAD_LIMIT:
        return True
    return size > COOKIE_LIMIT and sum(len(value) for name, value in headers if name == b"cookie") > COOKIE_LIMIT


def _declared(headers: Mapping[str, str]) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() else 0
