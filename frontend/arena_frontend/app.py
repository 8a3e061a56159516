"""The front end as one ASGI application."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from http import HTTPStatus
from typing import TYPE_CHECKING

from arena.domain.terms import Side
from arena_frontend import page_cache
from arena_frontend.api_reader import FRESH, ApiReader
from arena_frontend.asgi import Site
from arena_frontend.bundle import Bundle, gradio_files
from arena_frontend.face import FaceReader
from arena_frontend.finished_pages import Pages, finish
from arena_frontend.first_view import NONE, News
from arena_frontend.template_pages import TemplatePages

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from arena.domain.schemas.status import StatusView
    from arena_frontend.api_reader import App


def create_app(address: str = "", fresh: float = FRESH, frames: str = "", *, gradio: bool = False) -> Site:
    """Build the site; pages of Gradio are rendered in the background, in a moment from the cache or else in seconds.

    Mount the result at `/`, behind the API of the same origin: it reads the API of the application that it is mounted
    in, of which it asks the same at most every `fresh` seconds. It needs no lifespan, no setting and no secret, and may
    be built inside or outside a running event loop. `address` is the arena's public address, such as
    https://arena.example; previews of links on other sites need it for their picture. Without it only a visitor of
    this machine or its own network gets absolute links.
    `frames` is the origin of pages made by models, if it is another one; `gradio` is whether `/gradio` leads to an app.
    """
    bundle, reader = Bundle.load(), ApiReader(fresh)
    address, frames = address.rstrip("/"), frames.rstrip("/")
    templates = TemplatePages(bundle, address, reader, frames)
    waiting = partial(templates.plain, name="not_ready", status=HTTPStatus.SERVICE_UNAVAILABLE)
    finish_page = partial(finish, bundle=bundle, frames=frames)
    pages = Pages(lambda: partial(finish_page, page_cache.load()), NewestNews(reader).read, waiting=waiting)
    return Site(pages, templates, gradio_files() | bundle.files, address, FaceReader(reader, gradio=gradio))


class NewestNews:
    """The newest of the arena for the first bytes of a page of Gradio, and the last while there is no other."""

    def __init__(self, reader: ApiReader) -> None:
        self._reader = reader
        self._newest = NONE

    async def read(self, app: App) -> News:
        """Return the newest leaderboard, or none before the first, and what can be asked."""
        from arena_frontend.pages.leaderboard.page import BOARD  # the first pages need not wait for it

        board = await self._reader.read(app, "/leaderboard", BOARD)
        if not board.refused:
            self._newest = replace(self._newest, board=board.view if board.view.rows else None)
        status = await self._reader.read(app, "/status", _status())
        if not status.refused:
            self._newest = _with_status(self._newest, status.view)
        return self._newest


def _with_status(news: News, status: StatusView) -> News:
    asks = status.accepting and status.endpoints >= len(Side)
    return replace(news, practice=status.practice, sees=status.vision, asks=asks, terms=status.terms)


@cache
def _status() -> TypeAdapter[StatusView]:
    # The first pages need not wait for it.
    from pydantic import TypeAdapter

    from arena.domain.schemas.status import StatusView

    return TypeAdapter(StatusView)
