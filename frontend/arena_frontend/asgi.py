"""The front end's ASGI application: an exact list of readable paths and nothing else.

Pages come from `arena_frontend.pages`, scripts and styles from an exact list of files. Of a request only the
language is read, the host where it is this machine's, and for what is a visitor's own the cookie and the key. No
request body is received but JSON for a part of a page, which goes on to the API.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache, partial
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlencode

from starlette.requests import HTTPConnection

from arena.domain.http_documents import PARTS
from arena_frontend.branding import PLAIN, Branding, BrandingReader
from arena_frontend.bundle import TYPES, content
from arena_frontend.link_address import link_address
from arena_frontend.responses import Pairs, StaticResponse
from arena_frontend.template_pages import DOCUMENTS
from arena_frontend.texts import match, negotiate

if TYPE_CHECKING:
    from arena_frontend.api_reader import App
    from arena_frontend.template_pages import TemplatePages

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

COOKIE: Final = "arena_lang"
FOREVER: Final = "public, max-age=31536000, immutable"
METHODS: Final = ("GET", "HEAD")
ROBOTS: Final = "User-agent: *\nDisallow: /api/\n"
SITEMAP: Final = "/sitemap.xml"
ELSEWHERE: Final = {"/embed", *DOCUMENTS}
"""Paths of what other sites show, which set no cookie."""
_CACHE_SIZE: Final = 16
"""Number of cached pages for what does not exist."""


class Site:
    """Serves `templates` (by language and path) and `files` (by path).

    `address` is the arena's public address, if the operator has given it; `branding` reads what they have set.
    """

    def __init__(
        self,
        templates: TemplatePages,
        files: dict[str, Path],
        address: str = "",
        branding: BrandingReader | None = None,
    ) -> None:
        self._templates = templates
        self._address = address
        self._branding = branding
        self._missing = lru_cache(_CACHE_SIZE)(partial(templates.plain, name="not_found", status=HTTPStatus.NOT_FOUND))
        self._files = files
        line = f"Sitemap: {address}{SITEMAP}\n" if address else ""
        self._cache = {"/robots.txt": StaticResponse.text(ROBOTS + line)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif scope["path"] in PARTS:
            await self._part(scope, receive, send)
        else:
            await self._http(scope, send)

    async def _part(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, query, method = _headers(scope), _query(scope), scope["method"]
        if method not in (*METHODS, "POST"):
            return await StaticResponse.refusal(405, [("allow", "GET, HEAD, POST")]).send(send, method, headers, [])
        branding = await self._branding.read(scope.get("app")) if self._branding else PLAIN
        language, _ = _language(query.get("lang", ""), scope, branding.languages)
        body = await _read_body(receive) if method == "POST" else b""
        reading = self._templates.reading(language, scope, headers, body)
        reply = await self._templates.part(reading, scope["path"], query, branding=branding)
        return await (reply or StaticResponse.refusal(404)).send(send, method, headers, [])

    async def _http(self, scope: Scope, send: Send) -> None:
        headers = _headers(scope)
        reply, extra = await self._file(scope["path"]), Pairs()
        if reply is None:
            query = _query(scope)
            branding = await self._branding.read(scope.get("app")) if self._branding else PLAIN
            language, chosen = _language(query.get("lang", ""), scope, branding.languages)
            reply = await self._page(language, scope, query, headers, branding)
            is_page = chosen and scope["path"] not in ELSEWHERE
            extra = [("set-cookie", f"{COOKIE}={chosen}; Path=/; Max-Age=31536000; SameSite=Lax")] if is_page else []
            if reply is None:
                reads = "text/html" in headers.get("accept", "")
                reply = self._missing(language, branding=branding) if reads else StaticResponse.refusal(404)
                return await reply.send(send, scope["method"], headers, extra)
        if scope["method"] not in METHODS:
            reply = StaticResponse.refusal(405, [("allow", ", ".join(METHODS))])
        return await reply.send(send, scope["method"], headers, extra)

    async def _page(
        self, language: str, scope: Scope, query: dict[str, str], headers: dict[str, str], branding: Branding
    ) -> StaticResponse | None:
        app: App | None = scope.get("app")  # none while it is being built
        address = link_address(self._address, scope.get("scheme", "http"), headers.get("host", ""))
        if document := await self._templates.document(language, scope["path"], query, address, app, branding):
            return document
        if scope["path"] == "/" and "vs" in query:
            return _chosen_pair(query["vs"])
        return await self._templates.find(language, scope["path"], query, app, headers, branding, address=address)

    async def _file(self, path: str) -> StaticResponse | None:
        """Return a file that is the same in every language."""
        if path not in self._cache and path in self._files:
            self._cache[path] = await asyncio.to_thread(_read, self._files[path])
        return self._cache.get(path)


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def _query(scope: Scope) -> dict[str, str]:
    return dict(parse_qsl(scope.get("query_string", b"").decode("latin-1")))


async def _read_body(receive: Receive) -> bytes:
    """Receive a body, whose size the API's guard limits."""
    parts, more = list[bytes](), True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


def _chosen_pair(names: str) -> StaticResponse:
    """Redirect to a chat with two models, `X,Y`: a pair chosen by name is not judged blindly."""
    chat = f"/side-by-side?{urlencode([('model', name) for name in names.split(',', 1)])}"
    return StaticResponse.make(b"", "text/html; charset=utf-8", "no-cache", [("location", chat)], 307)


def _read(path: Path) -> StaticResponse:
    return StaticResponse.make(content(path), TYPES[path.suffix], FOREVER)


def _language(query: str, scope: Scope, offered: tuple[str, ...]) -> tuple[str, str | None]:
    """Return the language of a request, and the language to remember if `?lang=` has chosen it."""
    chosen = match(query, offered) if query else None
    request = HTTPConnection(scope)
    cookie, accept = request.cookies.get(COOKIE), request.headers.get("accept-language", "")
    return negotiate(query=chosen, cookie=cookie, accept=accept, offered=offered), chosen


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": message["type"] + ".complete"})
        if message["type"] == "lifespan.shutdown":
            return
