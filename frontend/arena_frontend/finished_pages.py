"""Finished pages: Gradio's drafts, which a thread loads, each rewritten and compressed for its first reader."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from functools import cache
from typing import TYPE_CHECKING, Final

from arena_frontend.bundle import Bundle
from arena_frontend.face import PLAIN, Face
from arena_frontend.first_view import NONE
from arena_frontend.head import FRAMED, LIVE, policy, rewrite
from arena_frontend.render import PAGES, THEME, Drafts
from arena_frontend.responses import StaticResponse
from arena_frontend.template_pages import frame_source
from arena_frontend.texts import texts

if TYPE_CHECKING:
    from arena_frontend.api_reader import App
    from arena_frontend.first_view import News

log = logging.getLogger(__name__)

REVALIDATE: Final = "no-cache"
PATIENCE: Final = 50.0
"""Seconds that a visitor waits for pages that are being rendered."""
PAUSE: Final = 10.0
"""Seconds before a failed attempt is repeated."""
ReadNews = Callable[["App"], Awaitable["News"]]
ADDRESSES: Final = 8
"""Number of addresses for which pages are cached; a request to any further one gets links without an address."""
Finish = Callable[[str, str, str, "News | None", Face], StaticResponse]
"""The function that finishes the page or style sheet of a language and path, with the arena's address, if it is known,
the news and the operator's settings."""


class Pages:
    """All pages; requests wait until a background thread has called `make`.

    Whoever has waited for `patience` seconds gets `waiting`, by language and with the seconds until the next try.
    `make` may take seconds. It is repeated until it succeeds, in case memory or disk is temporarily short. A page that
    shows `news` is finished anew when there are others.
    """

    def __init__(
        self,
        make: Callable[[], Finish],
        news: ReadNews | None = None,
        *,
        waiting: Callable[..., StaticResponse] | None = None,
        patience: float = PATIENCE,
        pause: float = PAUSE,
    ) -> None:
        self._finish: Future[Finish] = Future()
        self._finish.set_running_or_notify_cancel()  # from now on a visitor who leaves cannot cancel it
        self._news = news
        self._waiting = waiting and cache(waiting)
        self._cache: dict[tuple[str, str, str], tuple[News | None, Face, StaticResponse]] = {}
        self._addresses = {""}
        self._patience = patience
        self._pause = pause
        threading.Thread(target=self._make, args=(make,), name="pages", daemon=True).start()

    async def find(
        self, language: str, path: str, address: str = "", app: App | None = None, face: Face = PLAIN
    ) -> StaticResponse | None:
        """Return the page, a 503 if it is not ready yet, or None if it does not exist.

        `app` is the application whose API has the leaderboard; None while it is being built.
        """
        if path not in PAGES and path != THEME:
            return None
        if not self._finish.done():
            try:
                async with asyncio.timeout(self._patience):
                    await asyncio.wrap_future(self._finish)
            except TimeoutError:
                return self._later(language, path)
        news = await self._news(app) if app and self._news and PAGES.get(path) in LIVE else None
        key = (language, path, self._cached_address(address))
        rendered_news, rendered_face, reply = self._cache.get(key, (None, face, None))
        if reply is None or rendered_news != news or rendered_face != face:
            if reply:
                self._cache[key] = news, face, reply  # other requests get the older page until it is rendered
            reply = await asyncio.to_thread(self._finish.result(), *key, news, face)
            self._cache[key] = news, face, reply
        return reply

    def _later(self, language: str, path: str) -> StaticResponse:
        """Build the 503 of a page, or of the style sheet, which nobody reads."""
        seconds = round(self._pause)
        if self._waiting and path in PAGES:
            return self._waiting(language, seconds=seconds)
        return StaticResponse.refusal(503, [("retry-after", str(seconds))])

    def _cached_address(self, address: str) -> str:
        if len(self._addresses) <= ADDRESSES:
            self._addresses.add(address)
        return address if address in self._addresses else ""

    def _make(self, make: Callable[[], Finish]) -> None:
        while not self._finish.done():
            try:
                self._finish.set_result(make())
            except Exception:
                log.exception("the pages could not be made; trying again in %g seconds", self._pause)
                time.sleep(self._pause)


def finish(
    drafts: Drafts,
    language: str,
    path: str,
    address: str,
    news: News | None,
    face: Face = PLAIN,
    *,
    bundle: Bundle,
    frames: str = "",
) -> StaticResponse:
    """Rewrite a page of Gradio's and add headers; `address` is the arena's public address, if it is known.

    `frames` is the origin of pages made by models, if it is another one.
    """
    draft = drafts[language][path]
    if path == THEME:
        return StaticResponse.make(draft.encode(), "text/css; charset=utf-8", REVALIDATE)
    page, words = PAGES[path], texts(language)
    html = rewrite(draft, words=words, page=page, bundle=bundle, address=address, news=news or NONE, face=face)
    inside = frame_source(frames or address) if PAGES[path] in FRAMED else ""
    extra = [("content-security-policy", policy(html, inside)), ("vary", "Accept-Language, Cookie")]
    return StaticResponse.make(html.encode(), "text/html; charset=utf-8", REVALIDATE, extra)
