"""The badge of a model for its own page elsewhere: the ranks that the votes allow, as a picture."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from arena_frontend.pages.leaderboard.page import BOARD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

TYPE: Final = "image/svg+xml"
_COLOURS: Final = "#3b4252", "#4653c9"
_HEIGHT: Final = 20
_NARROW, _WIDE = 6.6, 11.0
"""Pixels of a letter, and of a Chinese sign."""
_ASCII: Final = 128


async def read(reading: Reading, _address: str, query: Mapping[str, str], words: Texts, *_: object) -> str | None:
    """Return the badge of the model that is named in the query; None of one that is on no board."""
    board = await reading.view("/leaderboard", BOARD)
    row = next((row for row in board.rows if row.name == query.get("name")), None)
    if row is None:
        return None
    if row.component:
        return _draw((words["brand"], words["reveal.unrated"]))
    ranks = f"{row.rank_low}" if row.rank_low == row.rank_high else f"{row.rank_low}–{row.rank_high}"
    count = sum(not other.component for other in board.rows)
    return _draw((words["brand"], words.fill("badge.rank", ranks=ranks, count=count)))


def _draw(texts: tuple[str, str]) -> str:
    """Two fields side by side; every text fills its own, whatever the font."""
    label, place, parts = escape(": ".join(texts)), 0.0, list[str]()
    for text, colour in zip(texts, _COLOURS, strict=True):
        wide = sum(_NARROW if ord(sign) < _ASCII else _WIDE for sign in text)
        parts.append(
            f'<rect x="{place:.0f}" width="{wide + 13:.0f}" height="{_HEIGHT}" fill="{colour}"/>'
            f'<text x="{place + 6:.0f}" y="14" textLength="{wide:.0f}">{escape(text)}</text>'
        )
        place += wide + 12
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{place:.0f}" height="{_HEIGHT}" role="img"'
        f' aria-label="{label}"><title>{label}</title>'
        f'<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">{"".join(parts)}</g></svg>'
    )
