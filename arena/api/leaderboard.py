"""Routes of the leaderboard: JSON, CSV, and word of a newer one."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Header, Query, Response
from starlette.datastructures import Headers

from arena.api import sse
from arena.api.deps import OnBoard
from arena.errors import ArenaError
from arena.wire import HistoryView, LeaderboardRow, LeaderboardView, MethodView, OrdersView, Snapshot, StyleView

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import ASGIApp, Receive, Scope, Send

    from arena.api.board import Board
    from arena.api.pages import Page

router = APIRouter(prefix="/leaderboard", tags=["leaderboard"])
PATH: Final = "/api/v1/leaderboard"

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet would run a cell that begins so; an apostrophe makes it text."""
Word = Annotated[str, Query(max_length=40)]
IfNoneMatch = Annotated[str | None, Header()]
AcceptEncoding = Annotated[str, Header()]
NOT_MODIFIED: Final[dict[int | str, dict[str, Any]]] = {304: {"description": "Not modified"}}


@router.get("", response_model=LeaderboardView, responses=NOT_MODIFIED)
async def newest(
    board: OnBoard,
    category: Word = "",
    language: Word = "",
    if_none_match: IfNoneMatch = None,
    accept_encoding: AcceptEncoding = "",
) -> Response:
    """The newest snapshot, or its board of one category or language."""
    return _answer(await board.page(category, language), if_none_match, accept_encoding)


@router.get(".csv", response_class=Response)
async def table(
    board: OnBoard, category: Word = "", language: Word = "", if_none_match: IfNoneMatch = None
) -> Response:
    """The rows of the newest snapshot, or of its board of one category or language, as a table."""
    page = await board.page(category, language)
    etag = page.etag[:-1] + '-csv"'
    if _same(etag, if_none_match):
        return _not_modified(etag)
    return Response(_csv(page.view.rows), media_type="text/csv; charset=utf-8", headers=_headers(etag))


@router.get("/style", response_model=StyleView, responses=NOT_MODIFIED)
async def style(board: OnBoard, if_none_match: IfNoneMatch = None, accept_encoding: AcceptEncoding = "") -> Response:
    """Bradley-Terry with the style of the answers held equal, and how much voters like each feature of style."""
    return _answer(await board.style(), if_none_match, accept_encoding)


@router.get("/orders", response_model=OrdersView, responses=NOT_MODIFIED)
async def orders(board: OnBoard, if_none_match: IfNoneMatch = None, accept_encoding: AcceptEncoding = "") -> Response:
    """How far the order of the votes moves ratings and ranks."""
    return _answer(await board.orders(), if_none_match, accept_encoding)


@router.get("/history", response_model=HistoryView, responses=NOT_MODIFIED)
async def history(board: OnBoard, if_none_match: IfNoneMatch = None, accept_encoding: AcceptEncoding = "") -> Response:
    """Ratings over time from the kept snapshots."""
    return _answer(await board.history(), if_none_match, accept_encoding)


@router.get("/method", response_model=MethodView, responses=NOT_MODIFIED)
async def method(board: OnBoard, if_none_match: IfNoneMatch = None, accept_encoding: AcceptEncoding = "") -> Response:
    """How the newest snapshot was computed, and how many votes were left out for what reason."""
    return _answer(await board.method(), if_none_match, accept_encoding)


@router.get("/stream", response_class=Response)
async def follow(board: OnBoard) -> Response:
    """An event with the number of every new snapshot."""
    return sse.stream(_announced(board))


async def _announced(board: Board) -> AsyncIterator[bytes]:
    async for number in board.follow():
        yield sse.event(Snapshot(id=number), str(number))


class Newest:
    """Answers the one read that everybody makes before a route is looked for; all else passes on.

    Finding a route and what it depends on takes five times as long as the answer.
    """

    def __init__(self, app: ASGIApp, board: Board) -> None:
        self.app = app
        self.board = board

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (await self._answer(scope) or self.app)(scope, receive, send)

    async def _answer(self, scope: Scope) -> Response | None:
        if scope["type"] != "http" or scope["path"] != PATH or scope["method"] != "GET" or scope["query_string"]:
            return None
        try:
            page = await self.board.page()
        except ArenaError:
            # The route meets it too, and knows how it is told.
            return None
        headers = Headers(scope=scope)
        return _answer(page, headers.get("if-none-match"), headers.get("accept-encoding", ""))


def _answer(page: Page[Any], if_none_match: str | None, accept_encoding: str) -> Response:
    if _same(page.etag, if_none_match):
        return _not_modified(page.etag)
    if "gzip" in accept_encoding:
        headers = {**_headers(page.etag), "Content-Encoding": "gzip"}
        return Response(page.gzip, media_type="application/json", headers=headers)
    return Response(page.json, media_type="application/json", headers=_headers(page.etag))


def _headers(etag: str) -> dict[str, str]:
    return {"ETag": etag, "Cache-Control": "public, max-age=0, must-revalidate", "Vary": "Accept-Encoding"}


def _same(etag: str, if_none_match: str | None) -> bool:
    return etag in {tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")}


def _not_modified(etag: str) -> Response:
    return Response(status_code=304, headers=_headers(etag))


def _csv(rows: list[LeaderboardRow]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(LeaderboardRow.model_fields), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _cell(value) for name, value in row.model_dump().items()})
    return out.getvalue().encode()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value
