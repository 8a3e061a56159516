"""The only door to Gradio: an exact list of readable paths, rendered once per language and kept; all else is 404.

Gradio's own server never sees a visitor. A page is the same for everybody with the same language, so it is asked from
Gradio once, with a made-up host, no cookie and no query; what comes back is rewritten, compressed and kept. Nothing a
visitor sends reaches Gradio: no upload, no queue, no handler, no file route.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final
from urllib.parse import parse_qs

from frontend.bundle import TYPES, Bundle, gradio_files
from frontend.head import ORIGIN, policy, rewrite
from frontend.reply import Reply
from frontend.texts import match, negotiate, texts

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE: Final = "arena_lang"
PAGES: Final = {"/": "battle", "/leaderboard": "leaderboard", "/about": "about"}
FOREVER: Final = "public, max-age=31536000, immutable"
REVALIDATE: Final = "no-cache"
METHODS: Final = ("GET", "HEAD")


class Gate:
    """A pure ASGI application; `inner` is Gradio's server per language."""

    def __init__(self, inner: dict[str, App], bundle: Bundle) -> None:
        self._inner = inner
        self._bundle = bundle
        self._files = gradio_files() | bundle.files
        self._kept: dict[tuple[str, str], Reply] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._http(scope, send)

    async def _http(self, scope: Scope, send: Send) -> None:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        language, chosen = _language(scope, headers)
        reply = await self._find(scope["path"], language)
        if reply and scope["method"] not in METHODS:
            reply = Reply.refusal(405, [("allow", ", ".join(METHODS))])
        extra = [("set-cookie", f"{COOKIE}={chosen}; Path=/; Max-Age=31536000; SameSite=Lax")] if chosen else []
        await (reply or Reply.refusal(404)).send(send, scope["method"], headers, extra)

    async def _find(self, path: str, language: str) -> Reply | None:
        if path in self._files:
            return await self._keep("", path, self._file)
        if path in PAGES:
            return await self._keep(language, path, self._page)
        if path == "/theme.css":
            return await self._keep(language, path, self._theme)
        return Reply.text("User-agent: *\nDisallow: /api/\n") if path == "/robots.txt" else None

    async def _keep(self, language: str, path: str, make: Callable[[str, str], Awaitable[Reply]]) -> Reply:
        key = (language, path)
        if key not in self._kept:
            self._kept[key] = await make(language, path)
        return self._kept[key]

    async def _file(self, _: str, path: str) -> Reply:
        file = self._files[path]
        body = await asyncio.to_thread(file.read_bytes)
        return await asyncio.to_thread(Reply.make, body, TYPES[file.suffix], FOREVER)

    async def _theme(self, language: str, path: str) -> Reply:
        body = await ask(self._inner[language], path)
        return await asyncio.to_thread(Reply.make, body, TYPES[".css"], REVALIDATE)

    async def _page(self, language: str, path: str) -> Reply:
        html = (await ask(self._inner[language], path)).decode()
        html = rewrite(html, words=texts(language), page=PAGES[path], prefix=self._bundle.prefix)
        extra = [("content-security-policy", policy(html)), ("vary", "Accept-Language, Cookie")]
        return await asyncio.to_thread(Reply.make, html.encode(), "text/html; charset=utf-8", REVALIDATE, extra)


async def ask(app: App, path: str) -> bytes:
    """One GET inside the process, as nobody; raises if it does not succeed."""
    host = ORIGIN.removeprefix("http://").encode()
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", host)],
        "client": ("127.0.0.1", 1),
        "server": (host.decode(), 80),
    }
    status, parts = 0, []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)
        parts.append(message.get("body", b""))

    await app(scope, receive, send)
    if status != 200:  # noqa: PLR2004 - the one status that is no surprise
        raise RuntimeError(f"Gradio answered {status} for {path}.")
    return b"".join(parts)


def _language(scope: Scope, headers: dict[str, str]) -> tuple[str, str | None]:
    """The language of this request, and the one to remember when `?lang=` chose it."""
    query = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("lang", [None])[0]
    chosen = match(query) if query else None
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        morsel = None
    cookie = morsel.value if morsel else None
    return negotiate(query=chosen, cookie=cookie, accept=headers.get("accept-language", "")), chosen


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": message["type"] + ".complete"})
        if message["type"] == "lifespan.shutdown":
            return
