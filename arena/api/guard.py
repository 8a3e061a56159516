"""A pure ASGI layer in front of the routes: headers, body size, and where a change may come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders

from arena.api.depth import deeper
from arena.api.problems import Passing, problem
from arena.errors import CrossOrigin, HeadersTooLarge, TooDeep, TooLarge

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
COOKIE_LIMIT: Final = 4_096
"""Characters of cookies; ours take 120, and the standard library needs quadratic time to read quoted ones."""
HEAD_LIMIT: Final = 16_384
"""Characters of the address and all headers."""
HEADER_COUNT: Final = 100
DEPTH: Final = 20
"""Levels of nested JSON; what the API takes has three."""
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


class Guard:
    """Refuses changes from foreign pages, swollen heads, deep JSON, and bodies above `body_limit` bytes."""

    def __init__(self, app: ASGIApp, body_limit: int) -> None:
        self.app = app
        self.body_limit = body_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        guarded = self._with_headers(send)
        headers = Headers(scope=scope)
        if scope["method"] not in SAFE and not same_origin(headers, scope["scheme"]):
            await problem(CrossOrigin())(scope, receive, guarded)
            return
        if _swollen(scope, headers):
            await problem(HeadersTooLarge())(scope, receive, guarded)
            return
        if _declared(headers) > self.body_limit:
            await problem(TooLarge())(scope, receive, guarded)
            return
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
                if deeper(b"".join(read), DEPTH):
                    raise Passing(TooDeep())
                read.clear()
            return message

        await self.app(scope, counting, send)

    @staticmethod
    def _with_headers(send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        return sending


def same_origin(headers: Headers, scheme: str) -> bool:
    """Whether a change may come from here.

    Browsers say where a request comes from (`Sec-Fetch-Site`, `Origin`); programs that send neither carry no cookies
    of a person, so there is nothing to forge.
    """
    site = headers.get("sec-fetch-site")
    if site is not None and site not in {"same-origin", "none"}:
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    # Behind a TLS proxy the scheme we see may be plain; a page on plain HTTP must not speak for a secure one.
    return parts.netloc == headers.get("host") and parts.scheme in {scheme, "https"}


def _swollen(scope: Scope, headers: Headers) -> bool:
    lengths = [len(name) + len(value) for name, value in scope["headers"]]
    address = len(scope["path"]) + len(scope["query_string"])
    cookies = sum(len(cookie) for cookie in headers.getlist("cookie"))
    return len(lengths) > HEADER_COUNT or sum(lengths, address) > HEAD_LIMIT or cookies > COOKIE_LIMIT


def _declared(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() else 0
