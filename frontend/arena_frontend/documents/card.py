"""The card of a model as a picture to pass on: its ranks, its rating with the interval, and what it is best at."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from arena.domain.schemas.overview import OverviewView
from arena.domain.shown_intervals import readable
from arena_frontend.charts.intervals import ends
from arena_frontend.figures import whole
from arena_frontend.pages.leaderboard.page import BOARD
from arena_frontend.pages.leaderboard.selection import PROVISIONAL_BATTLES
from arena_frontend.pages.model.glance import strengths

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.domain.schemas.leaderboard import LeaderboardRowView
    from arena_frontend.api_reader import Reading
    from arena_frontend.charts.intervals import Ends
    from arena_frontend.texts import Texts

TYPE: Final = "image/svg+xml"
WIDTH, HEIGHT = 1200, 630
_OVERVIEW: Final = TypeAdapter(OverviewView)
_EDGE, _LEVEL, _LONGEST = 64, 430, 34


async def read(reading: Reading, _address: str, query: Mapping[str, str], words: Texts, *_: object) -> str | None:
    """Return the card of the model that is named in the query; None of one without a rating on the board."""
    board = await reading.view("/leaderboard", BOARD)
    group = [readable(row) for row in board.rows if row.bt is not None]
    row = next((row for row in group if row.name == query.get("name")), None)
    if row is None or row.bt is None:
        return None
    group = [other for other in group if other.component == row.component]
    best = strengths(words, await reading.view("/leaderboard/overview", _OVERVIEW), row.name)
    ranks = words.fill("badge.rank", ranks=_range(row.rank_low, row.rank_high), count=len(group))
    facts = [words["reveal.unrated"] if row.component else ranks]
    facts += [words.fill("model.glance.best", best=best[0].name, worst=best[-1].name)] if best else []
    name = row.name if len(row.name) <= _LONGEST else f"{row.name[: _LONGEST - 1]}…"
    texts = [(words["brand"], 100, 30, "#565f70"), (name, 210, 56, "#1a2030")]
    texts += [(fact, 290 + 50 * place, 34, "#1a2030") for place, fact in enumerate(facts)]
    scale = ends([other for other in group if other.battles >= PROVISIONAL_BATTLES] or group)
    return _draw(texts, _track(row, row.bt, scale), f"{row.name}: {facts[0]}")


def _range(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low}–{high}"


def _track(row: LeaderboardRowView, rating: float, scale: Ends) -> str:
    """The interval on the scale of all models that the board ranks."""
    low, high = (rating if bound is None else bound for bound in (row.bt_low, row.bt_high))
    left, point, right = (_EDGE + (WIDTH - 2 * _EDGE) * scale.place(value) / 100 for value in (low, rating, high))
    rating_text = whole(rating) if row.bt_low is None else f"{whole(rating)} ({whole(low)}–{whole(high)})"
    anchor = "end" if point > WIDTH / 2 else "start"
    return (
        f'<rect x="{_EDGE}" y="{_LEVEL}" width="{WIDTH - 2 * _EDGE}" height="12" rx="6" fill="#dfe3ea"/>'
        f'<rect x="{left:.0f}" y="{_LEVEL}" width="{max(right - left, 2):.0f}" height="12" rx="6" fill="#a3acf0"/>'
        f'<circle cx="{point:.0f}" cy="{_LEVEL + 6}" r="14" fill="#4653c9"/>'
        f'<text x="{point:.0f}" y="{_LEVEL + 66}" font-size="34" text-anchor="{anchor}">{rating_text}</text>'
    )


def _draw(texts: list[tuple[str, int, int, str]], track: str, label: str) -> str:
    lines = "".join(
        f'<text x="{_EDGE}" y="{level}" font-size="{size}" fill="{colour}">{escape(text)}</text>'
        for text, level, size, colour in texts
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        f' role="img" aria-label="{escape(label)}"><rect width="{WIDTH}" height="{HEIGHT}" fill="#f6f7f9"/>'
        f'<g font-family="system-ui,Noto Sans,Noto Sans CJK SC,sans-serif">{lines}{track}</g></svg>'
    )
