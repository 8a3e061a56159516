"""The Atom feed of the board: an entry for each day, with the best models of its last snapshot."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from arena.domain.schemas.board_details import HistoryView

if TYPE_CHECKING:
    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

TYPE: Final = "application/atom+xml; charset=utf-8"
_HISTORY: Final = TypeAdapter(HistoryView)
_DAYS: Final = 30
_BEST: Final = 10


async def read(reading: Reading, address: str, _query: object, words: Texts, *_: object) -> str | None:
    """Return the feed; its entries keep their ids, so that a reader takes each once."""
    if not address:
        return None
    past = await reading.view("/leaderboard/history", _HISTORY)
    last = {moment.created_at.date(): place for place, moment in enumerate(past.moments)}
    days = sorted(last.items(), reverse=True)[:_DAYS]
    entries = "".join(_entry(past, place, address, words) for _, place in days)
    updated = past.moments[-1].created_at.isoformat() if past.moments else "1970-01-01T00:00:00+00:00"
    title = escape(f"{words['brand']} – {words['nav.leaderboard']}")
    return (
        '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
        f"<title>{title}</title><id>{address}/feed.xml</id><updated>{updated}</updated>"
        f'<link rel="self" href="{address}/feed.xml"/><link href="{address}/leaderboard"/>'
        f"<author><name>{escape(words['brand'])}</name></author>{entries}</feed>"
    )


def _entry(past: HistoryView, place: int, address: str, words: Texts) -> str:
    moment = past.moments[place]
    ranked = sorted((rank, course.name) for course in past.courses if (rank := course.rank[place]) is not None)
    lines = "\n".join(f"{rank}. {name}" for rank, name in ranked[:_BEST])
    leader = words.fill("feed.day", name=ranked[0][1] if ranked else "–")
    title = f"{moment.created_at.date()}: {leader}"
    return (
        f"<entry><title>{escape(title)}</title><id>{address}/feed.xml#{moment.created_at.date()}</id>"
        f"<updated>{moment.created_at.isoformat()}</updated>"
        f'<link href="{address}/leaderboard"/><content type="text">{escape(lines)}</content></entry>'
    )
