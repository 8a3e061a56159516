"""The pictures of a board, beside its table: what the chosen one reads, and its values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter

from arena.domain.figures import dollars
from arena.domain.schemas.board_details import HistoryView, OrdersView
from arena.domain.schemas.leaderboard import LeaderboardView
from arena_frontend.charts.history import history
from arena_frontend.charts.matrix import counts, matrix
from arena_frontend.charts.orders import orders
from arena_frontend.charts.scatter import scatter
from arena_frontend.figures import plain
from arena_frontend.pages.leaderboard.lines import Line, bands, group_by_component, kinds_of
from arena_frontend.pages.leaderboard.scores import SCORES, band_colour, scale_of
from arena_frontend.pages.leaderboard.selection import BoardQuery

if TYPE_CHECKING:
    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

_HISTORY: Final = TypeAdapter(HistoryView)
_ORDERS: Final = TypeAdapter(OrdersView)


@dataclass(frozen=True)
class Drawing:
    """A chosen picture with what it has read."""

    name: str
    selection: BoardQuery
    read: Any

    def values(self, words: Texts, board: LeaderboardView, lines: list[Line]) -> dict[str, object]:
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


def _names(lines: Sequence[Line]) -> list[str]:
    return [line.row.name for line in lines]


def _groups(draw: Callable[[list[Line]], object]) -> Callable[[list[Line]], list[object]]:
    """Draw each group of models that have met by itself."""

    def drawn(lines: list[Line]) -> list[object]:
        groups = group_by_component(lines)
        kinds = kinds_of(groups)
        return [
            {"kind": kind, "count": len(group), "drawn": draw(group)} for kind, group in zip(kinds, groups, strict=True)
        ]

    return drawn


def _intervals(group: list[Line], by: str) -> dict[str, object]:
    shown = sorted((line for line in group if line.row.score is not None), key=lambda line: -(line.row.score or 0))
    colours = {name: band_colour(band) for name, band in bands(group).items()}
    return {"rows": [line.row for line in shown], "colours": colours, "ends": scale_of(shown, SCORES[by])}


def _scatter(drawing: Drawing, _words: Texts, _board: LeaderboardView, lines: list[Line]) -> dict[str, object]:
    size = drawing.selection.against == "size"
    figures = [(line.row, line.billions if size else line.price) for line in lines]
    written: Callable[[float], str] = (lambda value: f"{plain(value)}B") if size else dollars
    return {"against": "size" if size else "price", "written": written, "cloud": scatter(figures)}


Draw = Callable[[Drawing, "Texts", LeaderboardView, list[Line]], object]
_READS: Final[dict[str, Callable[[Reading, LeaderboardView], Awaitable[object]]]] = {
    "history": _history,
    "orders": _orders,
}
_DRAWS: Final[dict[str, Draw]] = {
    "intervals": lambda _d, _w, board, lines: _groups(lambda group: _intervals(group, board.by))(lines),
    "matrix": lambda _d, _w, board, lines: _groups(lambda group: matrix(_names(group), board.pairs))(lines),
    "counts": lambda _d, _w, board, lines: _groups(lambda group: counts(_names(group), board.pairs))(lines),
    "history": lambda drawing, _w, _b, lines: history(drawing.read, _names(lines)),
    "orders": lambda drawing, _w, _b, lines: (
        orders(drawing.read, _names(lines), drawing.selection.model) if drawing.read else None
    ),
    "scatter": _scatter,
}
PICTURES: Final = tuple(_DRAWS)


def offered_pictures(board: LeaderboardView, lines: list[Line]) -> list[str]:
    """Return the pictures that have something to show."""
    empty = {
        "matrix": not board.pairs,
        "counts": not board.pairs,
        "history": "history" not in board.beside,
        "orders": "orders" not in board.beside,
        "scatter": all(line.price is None and line.billions is None for line in lines),
    }
    return [name for name in PICTURES if not empty.get(name)]
