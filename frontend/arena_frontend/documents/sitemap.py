"""The map of the site for search engines: its pages and its operator's, its models, and pairs with enough battles."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from arena_frontend.api_reader import ApiRefusal
from arena_frontend.pages.leaderboard.page import BOARD
from arena_frontend.pages.leaderboard.selection import PROVISIONAL_BATTLES
from arena_frontend.pages.pair.address import pair_address

if TYPE_CHECKING:
    from arena.domain.schemas.leaderboard import LeaderboardView
    from arena_frontend.api_reader import Reading

TYPE: Final = "text/xml; charset=utf-8"
_SCHEMA: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
_PAGES: Final = ("/", "/leaderboard", "/pairs", "/evaluations", "/questions", "/judges", "/integrity", "/about")
_MAX_PAIRS: Final = 5000
"""Pairs that are named, those with the most battles; a map may have 50,000 addresses."""


async def read(reading: Reading, address: str, _query: object, _words: object, written: tuple[str, ...]) -> str | None:
    """Return the map as XML.

    `address` is the arena's public address, which every entry begins with; `written` are pages of the operator.
    """
    if not address:
        return None
    try:
        board = await reading.view("/leaderboard", BOARD)
    except ApiRefusal:
        board = None
    paths = [*_PAGES, *(f"/{page}" for page in written), *(_of_board(board) if board else ())]
    entries = "".join(f"<url><loc>{escape(address + path)}</loc></url>" for path in paths)
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="{_SCHEMA}">{entries}</urlset>'


def _of_board(board: LeaderboardView) -> list[str]:
    pairs = sorted(
        (pair for pair in board.pairs if pair.battles >= PROVISIONAL_BATTLES), key=lambda pair: -pair.battles
    )[:_MAX_PAIRS]
    models = [f"/model?{urlencode({'name': row.name})}" for row in board.rows]
    return models + [pair_address(pair.a, pair.b) for pair in pairs]
