"""The leaderboard as a page of the server: what it reads from the API, and the values of its templates."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter

from arena.domain.schemas.board_details import StyleView
from arena.domain.schemas.leaderboard import LeaderboardView, MethodView, NewestView
from arena.domain.schemas.models import ModelView
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.charts.intervals import ends
from arena_frontend.contents import Content
from arena_frontend.pages.leaderboard.columns import COLUMNS, arrange
from arena_frontend.pages.leaderboard.filters import choices, tabs
from arena_frontend.pages.leaderboard.lines import Line, bands, group_by_component, sort_by_rank
from arena_frontend.pages.leaderboard.pictures import PICTURES, Drawing, draw_picture
from arena_frontend.pages.leaderboard.selection import FEW, BoardQuery, young

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

BOARD: Final = TypeAdapter(LeaderboardView)
_STYLE: Final = TypeAdapter(StyleView)
_METHOD: Final = TypeAdapter(MethodView)
_NEWEST: Final = TypeAdapter(NewestView)
_MODELS: Final = TypeAdapter(list[ModelView])
_MOST: Final = 200
"""Rows of a table that are sent without being asked for."""
_PODIUM: Final = 3
_WIDE: Final = 8
"""Columns that a desktop has room for."""


@dataclass(frozen=True)
class Board:
    """The board that a reader has selected, with what stands beside it."""

    board: LeaderboardView
    lines: list[Line]
    newest: NewestView
    method: MethodView
    style: StyleView | None
    drawing: Drawing | None


async def read(reading: Reading, query: Mapping[str, str]) -> Content:
    """Read the page for the query of its address."""
    selection = BoardQuery.of(query)
    kept = None if selection.q else selection.address()
    try:
        newest = await reading.view("/leaderboard/newest", _NEWEST)
        board = await reading.view(f"/leaderboard{selection.api_query}", BOARD)
        if board.snapshot is None:
            return Content("leaderboard/empty.html", lambda _: {"newest": newest, "selection": selection}, key=kept)
        beside = await _beside(reading, selection, board, newest)
    except ApiRefusal as refused:
        return _refusal(refused, selection)
    return Content("leaderboard/board.html", lambda words: _values(words, selection, beside), key=kept)


async def _beside(reading: Reading, selection: BoardQuery, board: LeaderboardView, newest: NewestView) -> Board:
    whole = not selection.category and not selection.language
    facts = {model.name: model for model in await reading.view("/models", _MODELS)}
    style = await reading.view("/leaderboard/style", _STYLE) if whole and "style" in board.beside else None
    styled = {row.name: row for row in style.rows} if style else {}
    lines = [Line(row, facts.get(row.name), styled.get(row.name)) for row in board.rows]
    method = await reading.view("/leaderboard/method", _METHOD)
    return Board(board, lines, newest, method, style, await draw_picture(reading, selection, board))


def _refusal(refused: ApiRefusal, selection: BoardQuery) -> Content:
    missing = refused.code == "no_board"
    status = HTTPStatus.NOT_FOUND if missing else HTTPStatus.SERVICE_UNAVAILABLE
    template = "leaderboard/missing.html" if missing else "leaderboard/trouble.html"
    newest = NewestView(snapshot=0, tables=0)
    values = {"newest": newest, "selection": selection, "refused": refused, "few": FEW}
    return Content(template, lambda _: values, status, key=None)


def _values(words: Texts, selection: BoardQuery, beside: Board) -> dict[str, Any]:
    lines = selection.filter_lines(beside.lines)
    columns = [column for column in COLUMNS if column.is_shown(selection, beside.lines)]
    groups = group_by_component(lines)
    most = len(lines) if selection.rows else _MOST
    shown = [arrange(group, selection)[:most] for group in groups]
    return {
        "selection": selection,
        "board": beside.board,
        "newest": beside.newest,
        "method": beside.method,
        "style": beside.style,
        "dropped": ", ".join(words.named("how.style", name) for name in (beside.style.dropped if beside.style else ())),
        "columns": columns,
        "wide": len(columns) > _WIDE,
        "groups": shown,
        "left": len(lines) - sum(map(len, shown)),
        "count": len(lines),
        "bands": bands(beside.lines) if selection.key == "rank" else {},
        "ends": ends([line.row for line in beside.lines]),
        "waiting": selection.count_newcomers(beside.lines),
        "tabs": tabs(words, selection, beside.board),
        "choices": choices(words, beside.lines),
        "pictures": PICTURES,
        "picture": beside.drawing.values(words, beside.board, sort_by_rank(lines))
        if beside.drawing and lines
        else None,
        "note": _note(beside.board),
        "few": FEW,
        "young": young,
        "certain": certain,
    }


def certain(line: Line) -> bool:
    """Whether the intervals allow no rank behind the third."""
    return line.row.rank <= _PODIUM and line.row.rank_high <= _PODIUM and not young(line)


def _note(board: LeaderboardView) -> str:
    """The key of what is said of a board whose order means little yet, or nothing."""
    votes = board.snapshot.votes if board.snapshot else 0
    if not board.rows or votes < FEW:
        return "few" if board.rows else "none"
    sizes = Counter(row.component for row in board.rows)
    tied = all(row.rank_high - row.rank_low >= sizes[row.component] - 1 for row in board.rows)
    return "overlap" if tied and len(board.rows) > 1 else ""
