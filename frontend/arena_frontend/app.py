"""The front end as one ASGI application."""

from __future__ import annotations

from functools import partial

from arena_frontend import page_cache
from arena_frontend.asgi import Gate
from arena_frontend.bundle import Bundle, gradio_files
from arena_frontend.compression import Pages, finish
from arena_frontend.plain_pages import not_found, not_ready
from arena_frontend.standings import Source, Standings


def create_app(address: str = "", source: Source | None = None) -> Gate:
    """Build the gate; pages are rendered in the background, in a moment from the cache or else in seconds.

    Mount the result at `/`, behind the API of the same origin. It needs no lifespan, no setting and no secret, and may
    be built inside or outside a running event loop. `address` is the arena's public address, such as
    https://arena.example; previews of links on other sites need it for their picture. Without it only a visitor of
    this machine or its own network gets absolute links. `source` gives the newest
    leaderboard, whose top rows are in the first bytes of two pages.
    """
    bundle = Bundle.load()
    board = Standings(source).newest if source else None
    pages = Pages(lambda: partial(finish, page_cache.load(), bundle), board, waiting=partial(not_ready, bundle))
    return Gate(pages, gradio_files() | bundle.files, partial(not_found, bundle), address.rstrip("/"))
