"""The picture of a link preview: of a battle that its voter has shared, of two models, or of the board of the day."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from pydantic import TypeAdapter

from arena.domain.schemas.pairs import PairResultsView
from arena.domain.schemas.shares import SharedView
from arena.domain.text import first_line
from arena_frontend.api_reader import ApiNotReady
from arena_frontend.charts.share_picture import SharePicture, draw
from arena_frontend.figures import share, whole
from arena_frontend.pages.leaderboard.page import BOARD
from arena_frontend.pages.shared.page import MAX_QUESTION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

TYPE: Final = "image/png"
_SHARED: Final = TypeAdapter(SharedView)
_PAIR: Final = TypeAdapter(PairResultsView)
_PODIUM: Final = 3
_EVEN: Final = 0.5
_THREAD: Final = ThreadPoolExecutor(1, "picture")
"""The one thread that draws, so that a crowd's pictures wait for each other and not for the pages."""
MAX_WAITING: Final = 32
"""Pictures that wait or are drawn at once, two seconds of work; others are told to come again."""
_WAITING: Final = set[asyncio.Future[bytes]]()


async def read(reading: Reading, _address: str, query: Mapping[str, str], words: Texts, *_: object) -> bytes | None:
    """Draw the picture of the shared battle `b`, the pair `x` and `y`, or the board, in a thread.

    Raises:
        ApiNotReady: Too many pictures wait.
    """
    if "b" in query:
        picture = await _battle(reading, query["b"], words)
    elif "x" in query:
        picture = await _pair(reading, query["x"], query.get("y", ""), words)
    else:
        picture = await _board(reading, words)
    if len(_WAITING) >= MAX_WAITING:
        raise ApiNotReady
    drawing = asyncio.get_running_loop().run_in_executor(_THREAD, draw, picture)
    _WAITING.add(drawing)
    drawing.add_done_callback(_WAITING.discard)
    return await drawing


async def _battle(reading: Reading, token: str, words: Texts) -> SharePicture:
    view = await reading.private(f"/shared/{quote(token, safe='')}", _SHARED)
    sides = [view.reveal.a.name, view.reveal.b.name]
    marked = {"a": 0, "b": 1}.get(view.reveal.outcome)
    lines = (f"A  {sides[0]}", f"B  {sides[1]}", words[f"vote.{view.reveal.outcome}"])
    return SharePicture(words["brand"], first_line(view.turns[0].prompt, MAX_QUESTION), lines, marked)


async def _pair(reading: Reading, a: str, b: str, words: Texts) -> SharePicture:
    pair = await reading.view(f"/pairs?{urlencode({'a': a, 'b': b})}", _PAIR)
    board = next((board for board in pair.boards if not board.category and not board.language), None)
    chances = (share(board.chance), share(1 - board.chance)) if board else ("", "")
    lines = tuple(f"{name}  {chance}".rstrip() for name, chance in zip((a, b), chances, strict=True))
    marked = (board.chance < _EVEN) if board else None
    return SharePicture(words["brand"], words.fill("pair.title", a=a, b=b), lines, marked)


async def _board(reading: Reading, words: Texts) -> SharePicture:
    board = await reading.view("/leaderboard", BOARD)
    rows = [row for row in board.rows if row.bt is not None][:_PODIUM]
    lines = tuple(f"{place}  {row.name}  {whole(row.bt or 0)}" for place, row in enumerate(rows, 1))
    return SharePicture(words["brand"], words["nav.leaderboard"], lines, 0 if rows else None)
