"""The pages as visitors get them: Gradio's drafts turned into ours and compressed, while the arena serves already."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from frontend.bundle import Bundle
from frontend.head import policy, rewrite
from frontend.render import PAGES, THEME, Drafts
from frontend.reply import Reply
from frontend.texts import texts

log = logging.getLogger(__name__)

REVALIDATE: Final = "no-cache"
PATIENCE: Final = 50.0
"""Seconds that a visitor waits for pages that are being made."""
PAUSE: Final = 10.0
"""Seconds before what failed is tried again."""
Finished = dict[tuple[str, str], Reply]
"""Pages and style sheets by language and path."""


class Pages:
    """Every page, made once by a thread of its own; whoever comes before it is done waits.

    `make` may take seconds. It is called again until it succeeds, so a passing want of memory or disk passes here too.
    """

    def __init__(self, make: Callable[[], Finished], *, patience: float = PATIENCE, pause: float = PAUSE) -> None:
        self._made: Future[Finished] = Future()
        self._made.set_running_or_notify_cancel()  # from now on no visitor who leaves can cancel it
        self._patience = patience
        self._pause = pause
        threading.Thread(target=self._make, args=(make,), name="pages", daemon=True).start()

    async def find(self, language: str, path: str) -> Reply | None:
        """The page, that it is not made yet, or None if there will be no such page."""
        if path not in PAGES and path != THEME:
            return None
        if not self._made.done():
            try:
                await asyncio.wait_for(asyncio.wrap_future(self._made), self._patience)
            except TimeoutError:
                return Reply.refusal(503, [("retry-after", f"{self._pause:.0f}")])
        return self._made.result()[language, path]

    def _make(self, make: Callable[[], Finished]) -> None:
        while not self._made.done():
            try:
                self._made.set_result(make())
            except Exception:
                log.exception("the pages could not be made; trying again in %g seconds", self._pause)
                time.sleep(self._pause)


def finish(drafts: Drafts, bundle: Bundle, address: str) -> Finished:
    """What Gradio gave, with our head and headers; `address` is where the public finds the arena, if that is known."""
    finished: Finished = {}
    for language, draft in drafts.items():
        words = texts(language)
        for path, page in PAGES.items():
            finished[language, path] = _page(
                rewrite(draft[path], words=words, page=page, bundle=bundle, address=address)
            )
        finished[language, THEME] = Reply.make(draft[THEME].encode(), "text/css; charset=utf-8", REVALIDATE)
    return finished


def _page(html: str) -> Reply:
    extra = [("content-security-policy", policy(html)), ("vary", "Accept-Language, Cookie")]
    return Reply.make(html.encode(), "text/html; charset=utf-8", REVALIDATE, extra)
