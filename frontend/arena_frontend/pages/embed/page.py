"""The board in a frame of another site: who leads, and the best models with their intervals; no script, no cookie."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from arena.domain.http_documents import ANYWHERE
from arena.domain.shown_intervals import readable
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.contents import Content
from arena_frontend.pages.leaderboard.headline import headline, ranked_lines
from arena_frontend.pages.leaderboard.lines import Line, bands, sort_by_rank
from arena_frontend.pages.leaderboard.page import BOARD
from arena_frontend.pages.leaderboard.scores import SCORES, band_colour, lacks_interval, scale_of
from arena_frontend.pages.leaderboard.selection import PROVISIONAL_BATTLES, board_query

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.domain.schemas.leaderboard import LeaderboardView
    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

_POLICY: Final = f"default-src 'none'; style-src 'self'; form-action 'none'; base-uri 'none'; {ANYWHERE}"
_DEFAULT_ROWS, _MAX_ROWS = 10, 50


async def read(reading: Reading, query: Mapping[str, str]) -> Content:
    """Read the board of a category and language with as many `rows` as are asked for."""
    category, language = query.get("category", ""), query.get("language", "")
    count = query.get("rows", "")
    rows = int(count) if count in map(str, range(1, _MAX_ROWS + 1)) else _DEFAULT_ROWS
    link = f"/leaderboard{board_query(category, language)}"
    dark = query.get("theme") == "dark"
    try:
        board = await reading.view(link, BOARD)
    except ApiRefusal as refused:
        keys = ["embed.none", "board.missing.text"] if refused.code == "no_board" else ["board.error"]
        values = partial(_values_without, keys=keys, dark=dark)
        return Content("embed/embed.html", values, HTTPStatus(refused.status), key=None, policy=_POLICY)

    if not board.rows:
        values = partial(_values_without, keys=["board.note.none"], dark=dark)
        return Content("embed/embed.html", values, key=None, policy=_POLICY)

    def values(words: Texts) -> dict[str, object]:
        return _board_values(words, board, rows) | {"link": link, "dark": dark}

    return Content("embed/embed.html", values, key=f"{dark} {rows} {link}", policy=_POLICY)


def _values_without(words: Texts, keys: list[str], *, dark: bool) -> dict[str, object]:
    """The values of a frame that has no board to show, and says why."""
    reasons = [words.fill(key, few=PROVISIONAL_BATTLES) for key in keys]
    return {"link": "/leaderboard", "lines": [], "name": "", "dark": dark, "reasons": reasons}


def _board_values(words: Texts, board: LeaderboardView, rows: int) -> dict[str, object]:
    lines = [Line(readable(row, board.by)) for row in board.rows]
    ranked = ranked_lines(lines)
    shown = (ranked or [line for line in sort_by_rank(lines) if line.row.component == 0])[:rows]
    young = words.fill("board.young.help", few=PROVISIONAL_BATTLES)
    return {
        "name": words.board(board.category, board.language),
        "note": headline(words, lines) if ranked else young,
        "lacks_interval": lacks_interval,
        "lines": [line.row for line in shown],
        "ends": scale_of(shown, SCORES[board.by]),
        "kind": SCORES[board.by],
        "band_colours": {name: band_colour(band) for name, band in bands(lines).items()},
    }
