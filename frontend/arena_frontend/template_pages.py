"""Pages that the server renders from templates with their data, cached until their data changes."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from http import HTTPStatus
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from arena.domain.http_documents import FRAMES, PARTS, POLICY
from arena_frontend.api_reader import HERE, ApiNotReady, ApiReader, ApiRefusal, App, Reading
from arena_frontend.branding import PLAIN, Branding
from arena_frontend.contents import Content
from arena_frontend.responses import Pairs, StaticResponse
from arena_frontend.templates import render
from arena_frontend.texts import Texts, texts

if TYPE_CHECKING:
    from arena_frontend.bundle import Bundle

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
CONVERSATION_POLICY: Final = (
    _POLICY.replace("form-action 'self'", "form-action 'none'")
    + "; worker-src 'self'; require-trusted-types-for 'script'; trusted-types arena"
)
"""That of pages of conversations, whose scripts put in what the server has rendered, by one policy of Trusted Types."""
VARY: Final = ("vary", "Accept-Language, Cookie")
RESOURCE: Final = "cross-origin-resource-policy"
_PRIVATE: Final = "private, no-store"
_NOTHING: Final[Mapping[str, str]] = {}
_SHARED: Final = "public, max-age=3600"
_BRIEFLY: Final = "public, max-age=300"
DOCUMENTS: Final = {"/sitemap.xml": "sitemap", "/feed.xml": "feed", "/badge.svg": "badge", "/card.svg": "card"} | {
    "/card.png": "picture"
}
"""Of each path the module in `documents` whose function `read` returns what other programs and sites are given."""
Read = Callable[[Reading, Mapping[str, str]], Awaitable[Content]]
PAGES: Final = {f"/{name}": name for name in ("leaderboard", "model", "about", "integrity", "questions", "mine")} | {
    "/pairs": "pair",
    "/boards": "overview",
    "/": "battle",
    **dict.fromkeys(("/side-by-side", "/direct"), "chat"),
    "/embed": "embed",
    "/files": "files",
    "/sign-in": "sign_in",
    **dict.fromkeys(("/imprint", "/privacy", "/terms"), "site_page"),
    **{f"/{name}": name for name in ("shared", "annotate", "evaluations", "judges", "predictors")},
    **{f"/{name}": name for name in ("owners", "operator")},
}
"""Of each path the name of its page, whose folder has a module `page` with a function `read`: it reads the content of
the page for the query of an address."""
_PAIRS: Final = "/pairs"
"""The one page that has others below its path; it has the rest of the path in its query as `rest`."""
_CACHE_SIZE: Final = 48
"""Number of cached pages."""
_RETRY_SECONDS: Final = 2
"""Seconds until a page that came before the arena was ready asks again."""


class TemplatePages:
    """Renders pages, each once for the same data.

    `address` is the arena's public address, and `frames` the origin of pages made by models, if it is another one.
    """

    def __init__(self, bundle: Bundle, address: str, reader: ApiReader, frames: str = "") -> None:
        self._bundle = bundle
        self._address = address
        self._frames = frames
        self._reader = reader
        self._cache: OrderedDict[tuple[object, ...], StaticResponse] = OrderedDict()

    async def find(
        self,
        language: str,
        path: str,
        query: Mapping[str, str],
        app: App | None,
        headers: Mapping[str, str] = _NOTHING,
        branding: Branding = PLAIN,
        *,
        address: str = "",
    ) -> StaticResponse | None:
        """Return the page of a path or None; `app` is the application whose API has its data, None before its start.

        `address` is the arena's address for the reader, if it is known.
        """
        rest = path.removeprefix(f"{_PAIRS}/") if path.startswith(f"{_PAIRS}/") else ""
        name = PAGES.get(_PAIRS if rest else path)
        if name is None:
            return None
        reading = self.reading(language, {"app": app}, headers)
        try:
            content = await _read(name)(reading, {**query, "rest": rest, "path": path})
        except ApiRefusal:  # of a page that this arena does not have
            return None
        except ApiNotReady:
            return self.plain(
                language, "not_ready", HTTPStatus.SERVICE_UNAVAILABLE, seconds=_RETRY_SECONDS, branding=branding
            )
        key = (language, path, address, branding, content.key, *reading.tags)
        reply = self._cache.get(key)
        if reply is None:
            reply = await asyncio.to_thread(
                self._finish, content, texts(language), name, content.caching, branding=branding, address=address
            )
            if content.key is not None:
                self._keep(key, reply)
        return reply

    async def part(
        self, reading: Reading, path: str, query: Mapping[str, str], *, branding: Branding = PLAIN
    ) -> StaticResponse | None:
        """Return a part of a page for whoever has signed in, or the API's problem, or None; neither is cached."""
        name = PARTS[path]
        read = import_module(f"arena_frontend.pages.{name}.parts").read
        try:
            content = await read(reading, query)
        except ApiRefusal as refused:
            return StaticResponse.make(refused.body, "application/problem+json", _PRIVATE, [VARY], refused.status)
        except ApiNotReady:
            return StaticResponse.refusal(503, [("retry-after", str(_RETRY_SECONDS))])
        words = texts(reading.language)
        return content and await asyncio.to_thread(self._finish, content, words, name, _PRIVATE, branding=branding)

    def reading(
        self, language: str, scope: Mapping[str, Any], headers: Mapping[str, str], body: bytes = b""
    ) -> Reading:
        """Return what reads the API for whoever sends a request: with their key, cookie, address and `body`."""
        cookie, bearer = (headers.get(name, "") for name in ("cookie", "authorization"))
        return Reading(self._reader, scope.get("app"), language, cookie, bearer, body, scope.get("client") or HERE)

    async def document(
        self,
        language: str,
        path: str,
        query: Mapping[str, str],
        address: str,
        app: App | None,
        branding: Branding = PLAIN,
    ) -> StaticResponse | None:
        """Return the document of a path for other programs and sites, or None; `address` is the public address."""
        name = DOCUMENTS.get(path)
        if name is None:
            return None
        module = import_module(f"arena_frontend.documents.{name}")  # the first pages need not wait for it
        reading = Reading(self._reader, app, language)
        try:
            body = await module.read(reading, address, query, branding.renamed(texts(language)), branding.pages)
        except ApiRefusal:
            return None
        except ApiNotReady:
            return StaticResponse.refusal(503, [("retry-after", str(_RETRY_SECONDS))])
        if body is None:
            return None
        if isinstance(body, bytes):  # a picture, which its module caches; a shared battle may be withdrawn soon
            return StaticResponse.make(body, module.TYPE, _BRIEFLY, [(RESOURCE, "cross-origin"), VARY])
        key = (language, path, branding, address, query.get("name", ""), *reading.tags)
        if key not in self._cache:
            reply = StaticResponse.make(body.encode(), module.TYPE, _SHARED, [(RESOURCE, "cross-origin"), VARY])
            self._keep(key, reply)
        return self._cache[key]

    def plain(
        self, language: str, name: str, status: HTTPStatus, seconds: int = 0, branding: Branding = PLAIN
    ) -> StaticResponse:
        """Build a page that only says something, with a status; with `seconds` it asks again after them."""
        extra = [("retry-after", str(seconds))] if seconds else []
        content = Content("message.html", lambda _: {"seconds": seconds}, status)
        return self._finish(content, texts(language), name, "no-store", extra, branding=branding)

    def _keep(self, key: tuple[object, ...], reply: StaticResponse) -> None:
        self._cache[key] = reply
        if len(self._cache) > _CACHE_SIZE:
            self._cache.popitem(last=False)

    def _finish(
        self,
        content: Content,
        words: Texts,
        name: str,
        caching: str,
        extra: Pairs | None = None,
        *,
        branding: Branding = PLAIN,
        address: str = "",
    ) -> StaticResponse:
        address = address or self._address
        html = "" if content.location else render(content, words, name, self._bundle, address, branding)
        framed = f"; frame-src {frame_source(self._frames or address)}" if content.is_framing else ""
        headers = [(POLICY, (content.policy or _POLICY) + framed), VARY, *(extra or [])]
        headers += [("location", content.location)] if content.location else []
        return StaticResponse.make(html.encode(), "text/html; charset=utf-8", caching, headers, content.status)


def frame_source(origin: str) -> str:
    """The one address below which frames of pages by models are.

    Where no origin is known, frames may lead anywhere in this arena, whose documents refuse to be framed.
    """
    return f"{origin}{FRAMES}" if origin else "'self'"


@cache
def _read(name: str) -> Read:
    """The function of a page; it is imported when there is something to read, since the first pages need not wait."""
    return import_module(f"arena_frontend.pages.{name}.page").read
