"""The pictures of a board, beside its table: what the chosen one reads, and its values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter

from arena.domain.schemas.board_details import HistoryView, OrdersView
from arena.domain.schemas.leaderboard import LeaderboardView
from arena_frontend.charts.history import history
from arena_frontend.charts.intervals import ends
from arena_frontend.charts.matrix import counts, heat, matrix
from arena_frontend.charts.orders import orders
from arena_frontend.charts.scatter import scatter
from arena_frontend.figures import dollars, plain
from arena_frontend.pages.leaderboard.lines import Line, group_by_component
from arena_frontend.pages.leaderboard.selection import BoardQuery, board_query, young

if TYPE_CHECKING:
    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

_HISTORY: Final = TypeAdapter(HistoryView)
_ORDERS: Final = TypeAdapter(OrdersView)
_BOARD: Final = TypeAdapter(LeaderboardView)
_MOST: Final = 40
"""Models in the overview."""


@dataclass(frozen=True)
class Drawing:
    """A chosen picture with what it has read."""

    name: str
    selection: BoardQuery
    read: Any

    def values(self, words: Texts, board: LeaderboardView, lines: list[Line]) -> dict[str, Any]:
        """Return its values for the shown lines, the best first; `drawn` is None where there is nothing to draw yet."""
        return {"name": self.name, "drawn": _DRAWS[self.name](self, words, board, lines)}


async def draw_picture(reading: Reading, selection: BoardQuery, board: LeaderboardView) -> Drawing | None:
    """Read what the chosen picture needs; None for the table."""
    if selection.picture not in PICTURES:
        return None
    read = _READS.get(selection.picture)
    return Drawing(selection.picture, selection, await read(reading, board) if read else None)


async def _history(reading: Reading, _: LeaderboardView) -> HistoryView:
    return await reading.view("/leaderboard/history", _HISTORY)


async def _orders(reading: Reading, board: LeaderboardView) -> OrdersView | None:
    return await reading.view("/leaderboard/orders", _ORDERS) if "orders" in board.beside else None


async def _single(reading: Reading, board: LeaderboardView) -> list[LeaderboardView]:
    """The boards of one category or one language."""
    views = sorted(
        (view for view in board.boards if bool(view.category) != bool(view.language)),
        key=lambda view: (not view.category, view.category, view.language),
    )
    return [await reading.view(f"/leaderboard{board_query(view.category, view.language)}", _BOARD) for view in views]


def _names(lines: Sequence[Line]) -> list[str]:
    return [line.row.name for line in lines]


def _groups(draw: Callable[[list[Line]], Any]) -> Callable[[list[Line]], list[Any]]:
    """Draw each group of models that have met by itself."""
    return lambda lines: [{"count": len(group), "drawn": draw(group)} for group in group_by_component(lines)]


def _intervals(group: list[Line]) -> dict[str, Any]:
    rows = sorted((line.row for line in group if line.row.bt is not None), key=lambda row: -(row.bt or 0))
    return {"rows": rows, "ends": ends(rows)}


def _scatter(drawing: Drawing, _words: Texts, _board: LeaderboardView, lines: list[Line]) -> dict[str, Any]:
    size = drawing.selection.against == "size"
    figures = [(line.row, line.billions if size else line.price) for line in lines]
    written: Callable[[float], str] = (lambda value: f"{plain(value)}B") if size else dollars
    return {"against": "size" if size else "price", "written": written, "cloud": scatter(figures)}


def _overview(drawing: Drawing, words: Texts, _board: LeaderboardView, lines: list[Line]) -> dict[str, Any] | None:
    """The rank of each model on each board, warmer the nearer it is to the top, faint where it has few battles."""
    boards: list[LeaderboardView] = drawing.read
    if not boards:
        return None
    shown = lines[:_MOST]
    columns = [(words["filter.all"], "/leaderboard", {line.row.name: line for line in shown}, len(shown))]
    columns += [
        (
            words.board(board.category, board.language),
            f"/leaderboard{board_query(board.category, board.language)}",
            {row.name: Line(row) for row in board.rows},
            len(board.rows),
        )
        for board in boards
    ]
    cells = {
        name: [
            {"board": board, "row": found.row, "heat": heat(_height(found, count))} if found else None
            for board, _, rows, count in columns
            for found in (rows.get(name),)
        ]
        for name in _names(shown)
    }
    heads = [(board, href) for board, href, *_ in columns]
    return {"heads": heads, "cells": cells, "more": _MOST if len(lines) > _MOST else 0}


def _height(line: Line, count: int) -> float:
    height = 1 - (line.row.rank - 1) / (count - 1) if count > 1 else 1
    return height * (0.25 if young(line) else 0.9)


Draw = Callable[[Drawing, "Texts", LeaderboardView, list[Line]], Any]
_READS: Final[dict[str, Callable[[Reading, LeaderboardView], Awaitable[Any]]]] = {
    "history": _history,
    "orders": _orders,
    "overview": _single,
}
_DRAWS: Final[dict[str, Draw]] = {
    "intervals": lambda _d, _w, _b, lines: _groups(_intervals)(lines),
    "matrix": lambda _d, _w, board, lines: _groups(lambda group: matrix(_names(group), board.pairs))(lines),
    "counts": lambda _d, _w, board, lines: _groups(lambda group: counts(_names(group), board.pairs))(lines),
    "history": lambda drawing, _w, _b, lines: history(drawing.read, _names(lines)),
    "orders": lambda drawing, _w, _b, lines: (
        orders(drawing.read, _names(lines), drawing.selection.model) if drawing.read else None
    ),
    "overview": _overview,
    "scatter": _scatter,
}
PICTURES: Final = tuple(_DRAWS)
