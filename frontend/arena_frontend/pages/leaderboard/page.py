"""The leaderboard as a page of the server: what it reads from the API, and the values of its templates."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from itertools import compress
from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from arena.domain.schemas.board_details import StyleView
from arena.domain.schemas.leaderboard import LeaderboardView, MethodView, NewestView
from arena.domain.schemas.models import ModelView
from arena.domain.schemas.overview import OverviewView
from arena.domain.shown_intervals import readable
from arena.domain.terms import EndpointState
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.charts.intervals import Ends
from arena_frontend.contents import Content
from arena_frontend.pages.leaderboard.columns import arrange, main_column, shown_columns
from arena_frontend.pages.leaderboard.filters import choices, tabs
from arena_frontend.pages.leaderboard.headline import PODIUM, contested, headline, moves, ranked_lines
from arena_frontend.pages.leaderboard.lines import Line, bands, group_by_component, kinds_of, sort_by_rank
from arena_frontend.pages.leaderboard.pictures import Drawing, draw_picture, offered_pictures
from arena_frontend.pages.leaderboard.scores import (
    SCORES,
    ScoreKind,
    band_colour,
    lacks_interval,
    scale_of,
    score_links,
)
from arena_frontend.pages.leaderboard.selection import PROVISIONAL_BATTLES, BoardQuery, goal_votes, young

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

BOARD: Final = TypeAdapter(LeaderboardView)
_STYLE: Final = TypeAdapter(StyleView)
_METHOD: Final = TypeAdapter(MethodView)
_NEWEST: Final = TypeAdapter(NewestView)
_MODELS: Final = TypeAdapter(list[ModelView])
_OVERVIEW: Final = TypeAdapter(OverviewView)
MAX_ROWS: Final = 200
"""Rows of a table that are sent without being asked for."""
MAX_ROWS_ON_PHONES: Final = 20
"""Rows that a phone shows without being asked for; the others are in the page, for wider screens."""
_MAX_DESKTOP_COLUMNS: Final = 8
"""Columns that a desktop has room for."""


@dataclass(frozen=True)
class Board:
    """The board that a reader has selected, with what stands beside it.

    `drawn` has the names of the models in battles on the whole board, and none elsewhere.
    """

    board: LeaderboardView
    lines: list[Line]
    newest: NewestView
    method: MethodView
    style: StyleView | None
    drawing: Drawing | None
    table: OverviewView | None = None
    drawn: tuple[str, ...] = ()


async def read(reading: Reading, query: Mapping[str, str]) -> Content:
    """Read the page for the query of its address."""
    selection = BoardQuery.of(query)
    if selection.by not in SCORES:
        return _refusal("unranked", HTTPStatus.UNPROCESSABLE_ENTITY, selection)
    address = None if selection.q else selection.address()
    try:
        newest = await reading.view("/leaderboard/newest", _NEWEST)
        board = await reading.view(f"/leaderboard{selection.api_query}", BOARD)
        if board.snapshot is None:
            return Content("leaderboard/empty.html", lambda _: {"newest": newest, "selection": selection}, key=address)
        beside = await _read_board(reading, selection, board, newest)
    except ApiRefusal as refused:
        if refused.code == "no_board":
            return _refusal("missing", HTTPStatus.NOT_FOUND, selection)
        return _refusal("trouble", refused.page_status, selection, refused.code)
    return Content("leaderboard/board.html", lambda words: _values(words, selection, beside), key=address)


async def _read_board(reading: Reading, selection: BoardQuery, board: LeaderboardView, newest: NewestView) -> Board:
    whole = not (selection.category or selection.language or selection.hosts)
    facts = {model.name: model for model in await reading.view("/models", _MODELS)}
    style = await reading.view("/leaderboard/style", _STYLE) if whole and "style" in board.beside else None
    styled = {row.name: row for row in style.rows} if style else {}
    lines = [Line(readable(row, board.by), facts.get(row.name), styled.get(row.name)) for row in board.rows]
    method = await reading.view("/leaderboard/method", _METHOD)
    table = await reading.view("/leaderboard/overview", _OVERVIEW) if whole else None
    drawn = tuple(model.name for model in facts.values() if whole and model.state is EndpointState.ACTIVE)
    return Board(board, lines, newest, method, style, await draw_picture(reading, selection, board), table, drawn)


def _refusal(template: str, status: HTTPStatus, selection: BoardQuery, code: str = "") -> Content:
    newest = NewestView(snapshot=0, tables=0)

    def values(words: Texts) -> dict[str, object]:
        links = score_links(words, selection.address, "")
        return {"newest": newest, "selection": selection, "refused": code, "few": PROVISIONAL_BATTLES, "scores": links}

    return Content(f"leaderboard/{template}.html", values, status, key=None)


def _values(words: Texts, selection: BoardQuery, beside: Board) -> dict[str, object]:
    lines = selection.filter_lines(beside.lines)
    columns = shown_columns(selection, beside.lines)
    goal = goal_votes(beside.board, beside.drawn)
    note = _note(beside.board, goal)
    moved = moves(beside.table if selection.by == "bt" else None)
    groups = group_by_component(lines)
    shown = [arrange(group, selection)[: None if selection.rows else MAX_ROWS] for group in groups]
    return {
        "preview_picture": f"/card.png?lang={words.language}",
        "selection": selection,
        "board": beside.board,
        "newest": beside.newest,
        "method": beside.method,
        "style": beside.style,
        "dropped": ", ".join(words.named("how.style", name) for name in (beside.style.dropped if beside.style else ())),
        "columns": columns,
        "wide": len(columns) > _MAX_DESKTOP_COLUMNS,
        "groups": shown,
        "kinds": kinds_of(groups),
        "left": len(lines) - sum(map(len, shown)),
        "phone_rows": len(lines) if selection.rows else MAX_ROWS_ON_PHONES,
        "count": len(lines),
        "kind": SCORES[beside.board.by],
        "main": main_column(selection),
        "scores": score_links(words, selection.address, selection.by),
        "bands": bands(beside.lines),
        "banded": selection.key == "rank",
        "band_colour": band_colour,
        "ends": _scales(groups, SCORES[beside.board.by]),
        "moved": moved,
        "headline": "" if note else headline(words, beside.lines),
        "podium": ranked_lines(beside.lines)[:PODIUM],
        "waiting": selection.count_newcomers(beside.lines),
        "tabs": tabs(words, selection, beside.board, beside.table),
        "choices": choices(words, beside.lines),
        "pictures": offered_pictures(beside.board, beside.lines),
        "picture": beside.drawing.values(words, beside.board, sort_by_rank(lines))
        if beside.drawing and lines
        else None,
        "note": note,
        "goal": goal,
        "few": PROVISIONAL_BATTLES,
        "young": young,
        "certain": certain,
        "contested": partial(contested, words),
        "lacks_interval": lacks_interval,
    }


def _scales(groups: list[list[Line]], kind: ScoreKind) -> list[Ends]:
    """A scale for each group: one for real and practice models, and one of its own for those that met none of these."""
    shares = [not place or name == "practice" for place, name in enumerate(kinds_of(groups))]
    shared = scale_of([line for group in compress(groups, shares) for line in group], kind)
    return [shared if one else scale_of(group, kind) for one, group in zip(shares, groups, strict=True)]


def certain(line: Line) -> bool:
    """Whether the intervals allow no rank behind the third."""
    return line.row.component == 0 and line.row.rank <= PODIUM >= line.row.rank_high and not young(line)


def _note(board: LeaderboardView, goal: int) -> str:
    """Return the key of the note on a board whose order means little yet, or an empty string."""
    votes = board.snapshot.votes if board.snapshot else 0
    if not board.rows or votes < PROVISIONAL_BATTLES:
        return ("goal" if goal > votes else "few") if board.rows else "none"
    sizes = Counter(row.component for row in board.rows)
    tied = all(row.rank_high - row.rank_low >= sizes[row.component] - 1 for row in board.rows)
    return "overlap" if tied and len(board.rows) > 1 else ""
