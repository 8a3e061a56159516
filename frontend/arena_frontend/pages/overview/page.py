"""The page of all boards: models by boards with their ranks, and who has moved since last week."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from pydantic import TypeAdapter

from arena.domain.schemas.overview import OverviewView
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.contents import Content
from arena_frontend.pages.leaderboard.lines import number_bands
from arena_frontend.pages.leaderboard.scores import band_colour
from arena_frontend.pages.leaderboard.selection import PROVISIONAL_BATTLES, board_query

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.domain.schemas.overview import OverviewRowView
    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

TABLE: Final = TypeAdapter(OverviewView)
_FEWEST: Final = 2
"""Boards of which there is something to compare."""
_OF_PATH: Final = {"rest", "path"}
"""Of a query what the path says, and not the address's own."""
_MAX_MOVERS: Final = 6
"""Models that are named for having moved most."""


@dataclass(frozen=True)
class Cell:
    """Ranks on a board, the colour of their band, and whether they stand on few battles."""

    ranks: str
    colour: int
    few: bool


@dataclass(frozen=True)
class OverviewColumn:
    """A board with its name, address and votes."""

    name: str
    href: str
    votes: int


async def read(reading: Reading, query: Mapping[str, str]) -> Content:
    """Read the page; where there is one board, it leads to the page of that, whose words for a query it leaves it."""
    try:
        table = await reading.view("/leaderboard/overview", TABLE)
    except ApiRefusal as refused:
        values = {"refused": refused}
        return Content("overview/trouble.html", lambda _: values, refused.page_status, key=None)
    if len(table.boards) < _FEWEST:
        address = urlencode({name: value for name, value in query.items() if name not in _OF_PATH})
        status, location = HTTPStatus.TEMPORARY_REDIRECT, "/leaderboard" + (f"?{address}" if address else "")
        return Content("overview/overview.html", lambda _: {}, status, key=None, location=location)
    return Content("overview/overview.html", lambda words: overview_values(words, table))


def overview_values(words: Texts, table: OverviewView) -> dict[str, object]:
    """Return the values of the page for a table of all boards."""
    columns = [_cells(table.rows, number) for number in range(len(table.boards))]
    return {
        "title": words["title.overview"],
        "description": words["overview.lead"],
        "table": table,
        "few": PROVISIONAL_BATTLES,
        "columns": [
            OverviewColumn(
                words.board(board.category, board.language),
                f"/leaderboard{board_query(board.category, board.language)}",
                board.votes,
            )
            for board in table.boards
        ],
        "rows": [(row, [column.get(row.name) for column in columns]) for row in table.rows],
        "moved": _movers(table),
    }


def _cells(rows: list[OverviewRowView], number: int) -> dict[str, Cell]:
    """The cells of a column by model."""
    placed = [(row.name, place) for row in rows if (place := row.places[number])]
    placed.sort(key=lambda item: (item[1].component, item[1].rank, item[1].low))
    bands = number_bands((name, place.component, place.rank, place.low) for name, place in placed)
    return {
        name: Cell(
            "–" if place.component else str(place.low) if place.low == place.high else f"{place.low}–{place.high}",
            band_colour(bands[name]),
            place.battles < PROVISIONAL_BATTLES,
        )
        for name, place in placed
    }


def _movers(table: OverviewView) -> list[tuple[OverviewRowView, int | None]]:
    """The models that moved most since last week, with places up, below zero down, and None for new ones."""
    if table.since is None:
        return []
    moves = [(row, None if row.before is None else row.moved) for row in table.rows if row.places[0]]
    moved = [(row, places) for row, places in moves if places != 0]
    return sorted(moved, key=lambda move: (move[1] is not None, -abs(move[1] or 0)))[:_MAX_MOVERS]
